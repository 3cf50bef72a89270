/** The latest lines of the server's log. */

import { EVENT_LEVELS, type EventLevel } from '../../../gateway/observing/logs/recent-events.ts'
import { type ConsoleRequest, refused } from './console-request.ts'
import { hidden, seesAll } from './sees-all.ts'

/** `level`: the least level of the lines that are wanted. */
export async function events(request: ConsoleRequest): Promise<object> {
  const least = levelOf(request.query.get('level') ?? '')
  if (!(await seesAll(request))) return hidden(request)
  const kept = request.facts.console?.events?.list()
  if (kept === undefined) return { isThere: false }
  const wanted = new Set(EVENT_LEVELS.slice(EVENT_LEVELS.indexOf(least)))
  return { isThere: true, kept: kept.length, events: kept.filter(({ level }) => wanted.has(level)) }
}

function levelOf(text: string): EventLevel {
  if (text === '') return 'info'
  const level = EVENT_LEVELS.find((each) => each === text)
  if (level === undefined) throw refused(`level must be one of ${EVENT_LEVELS.join(', ')}`)
  return level
}
