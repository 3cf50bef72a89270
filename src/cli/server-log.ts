/** The log of a server: JSON lines on stderr. */

import { type LogFn, type Logger, type LoggerOptions, pino } from 'pino'
import { boundedFields, boundedText } from '../model/bounded-text.ts'
import { toldError } from '../model/error-reason.ts'

/** Errors under these names are told with their whole reason, and with a stack only where they show a bug. */
const SERIALIZERS = { err: toldError, error: toldError }

/** A client's text in a line is not longer than any other. */
const HOOKS: NonNullable<LoggerOptions['hooks']> = {
  logMethod(args, method) {
    method.apply(this, args.map(boundedArgument) as Parameters<LogFn>)
  },
}

function boundedArgument(value: unknown): unknown {
  if (typeof value === 'string') return boundedText(value)
  return typeof value === 'object' && value !== null && !(value instanceof Error)
    ? boundedFields(value)
    : value
}

/** `write`: for tests. `facts`: in every line. */
export function serverLog(
  level: string,
  write?: (line: string) => void,
  facts: Readonly<Record<string, unknown>> = {},
): Logger {
  const destination = write === undefined ? pino.destination({ dest: 2, sync: true }) : { write }
  const log = pino({ name: 'tidegate', level, serializers: SERIALIZERS, hooks: HOOKS }, destination)
  return Object.keys(facts).length === 0 ? log : log.child(facts)
}
