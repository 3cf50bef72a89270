import type { ProtocolWriter } from '../../../wire/thrift/protocol.ts'
import type { Method } from '../contract/method-table.ts'
import type { Caller } from './caller.ts'

/** A message whose head has been read. */
export interface Message {
  readonly caller: Caller
  readonly writer: ProtocolWriter
  readonly sequenceId: number
  /** Time at which its head was read, by performance.now(). */
  readonly since: number
  /** True where the error is logged already. */
  readonly isFaultReported?: boolean
}

/** Counts the duration of a message whose answer is ready. */
export function countDuration({ since }: Message, { counts }: Method): void {
  counts.latencies.add(performance.now() - since)
}
