import type { Deadlines } from '../../../gateway/connections/peer-clock.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'

export type TransportLimits = Pick<
  Limits,
  'requestBytesMax' | 'headerBytesMax' | 'depthMax' | 'elementsMax' | 'connectionsMax' | 'scarceAnswerMs'
> &
  Deadlines

/** The longest first call of a client that must log in and has not. */
const STRANGER_BYTES_MAX = 64 * 1024

/** For a client that must log in and has not: its call is only read to answer it. */
export function strangersLimits(limits: TransportLimits): TransportLimits {
  return { ...limits, requestBytesMax: Math.min(STRANGER_BYTES_MAX, limits.requestBytesMax) }
}
