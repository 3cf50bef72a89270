/** The log of a server: JSON lines on stderr. */

import { type Logger, pino } from 'pino'
import { toldError } from '../model/error-reason.ts'

/** Errors under these names are told with their whole reason, and with a stack only where they show a bug. */
const SERIALIZERS = { err: toldError, error: toldError }

/** `write`: for tests. `facts`: in every line. */
export function serverLog(
  level: string,
  write?: (line: string) => void,
  facts: Readonly<Record<string, unknown>> = {},
): Logger {
  const destination = write === undefined ? pino.destination({ dest: 2, sync: true }) : { write }
  const log = pino({ name: 'tidegate', level, serializers: SERIALIZERS }, destination)
  return Object.keys(facts).length === 0 ? log : log.child(facts)
}
