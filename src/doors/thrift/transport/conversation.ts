import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import type { HBaseError } from '../../../model/errors.ts'
import type { ProtocolName } from '../../../wire/thrift/protocol.ts'
import type { IncomingMessages } from './incoming-messages.ts'
import type { LengthsOfReplies } from './reply-lengths.ts'

/** How a connection speaks, and what it has sent so far. */
export interface Conversation {
  readonly protocol: ProtocolName
  readonly lengths: LengthsOfReplies
  /** The client has logged in by SASL, and reads its replies in SASL's frames. */
  readonly isBehindSasl: boolean
  /** The bytes received so far; `messages` cuts them into messages. */
  readonly queue: ByteQueue
  readonly messages: IncomingMessages
  readonly memory: MemoryBudget
  readonly nowMs: number
  /** There are too many connections: the first call is answered so, and the connection ends. */
  readonly refusal?: HBaseError | undefined
}
