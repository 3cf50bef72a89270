import type { Deadlines } from '../../../gateway/connections/peer-clock.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'

export type TransportLimits = Pick<
  Limits,
  'requestBytesMax' | 'headerBytesMax' | 'depthMax' | 'elementsMax' | 'connectionsMax' | 'scarceAnswerMs'
> &
  Deadlines

/** Most bytes of the first call of a client that must log in and has not. */
const STRANGER_BYTES_MAX = 64 * 1024

/** The limits for a client that must log in and has not: its call is only read to be refused. */
export function strangersLimits(limits: TransportLimits): TransportLimits {
  return { ...limits, requestBytesMax: Math.min(STRANGER_BYTES_MAX, limits.requestBytesMax) }
}
