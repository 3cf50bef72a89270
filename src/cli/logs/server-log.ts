/** The log of a server: JSON lines on stderr. */

import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino'
import { boundedFields, boundedText } from '../../model/bounded-text.ts'
import { errorFields } from '../../model/error-reason.ts'

/** Errors under these names are logged with their whole reason, and with a stack only where they show a bug. */
const SERIALIZERS = { err: errorFields, error: errorFields }

/** Drops all lines once the terminal has gone, so that the server lives on, as it does when a pipe's reader has gone. */
function standardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true })
  destination.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error
    destination.write = () => true
  })
  return destination
}

/** Bounds every text of a line, because clients send some of them. */
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
  const destination = write === undefined ? standardError() : { write }
  const log = pino({ name: 'tidegate', level, serializers: SERIALIZERS, hooks: HOOKS }, destination)
  return Object.keys(facts).length === 0 ? log : log.child(facts)
}
