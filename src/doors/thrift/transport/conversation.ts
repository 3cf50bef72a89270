import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import type { HBaseError } from '../../../model/errors.ts'
import type { LayerLine } from '../../../wire/sasl/layer-line.ts'
import type { ProtocolName } from '../../../wire/thrift/protocol.ts'
import type { IncomingMessages } from './incoming-messages.ts'
import type { LengthsOfReplies } from './reply-lengths.ts'

/** The dialect of a connection, and the bytes that it has sent so far. */
export interface Conversation {
  readonly protocol: ProtocolName
  /** Number of lengths before a reply. */
  readonly lengths: LengthsOfReplies
  /** True where the client has logged in by SASL, and reads its replies in SASL's frames. */
  readonly isBehindSasl: boolean
  /** Protects the replies, for which `lengths` counts no length of SASL's frames; undefined: they go as they are. */
  readonly line: LayerLine | undefined
  /** The bytes received so far; `messages` cuts them into messages. */
  readonly queue: ByteQueue
  readonly messages: IncomingMessages
  readonly memory: MemoryBudget
  readonly nowMs: number
  /** Answers the first call of a connection that the server refuses, which then ends; absent otherwise. */
  readonly refusal?: HBaseError | undefined
}
