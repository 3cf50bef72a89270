import { pid } from 'node:process'
import { POINT_MS } from '../status/load-history.ts'
import { type ConsoleRequest, refused } from './console-request.ts'

/** The points of the last hour, or those after `since`, milliseconds since 1970. */
export async function history({ facts, query }: ConsoleRequest): Promise<object> {
  const text = query.get('since') ?? ''
  if (!/^(?:|\d{1,15})$/.test(text)) throw refused('since must be a time in milliseconds since 1970')
  const points = facts.history?.points(Number(text)) ?? { at: [], doors: {}, figures: {} }
  // With several processes the next answer may come from another process, which has its own points.
  return { pid, processes: facts.reports?.processes ?? 1, everyMs: POINT_MS, now: Date.now(), ...points }
}
