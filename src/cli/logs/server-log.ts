/** The log of a server: JSON lines on stderr. */

import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino'
import type { EventLines } from '../../gateway/observing/logs/recent-events.ts'
import { boundedFields, boundedText } from '../../model/bounded-text.ts'
import { errorFields } from '../../model/error-reason.ts'

/** Errors under these names are logged with their whole reason, and with a stack only where they show a bug. */
const SERIALIZERS = { err: errorFields, error: errorFields }

/** The bytes of lines that wait for a full disk. Further lines are lost. */
const WAITING_BYTES_MAX = 1 << 20

/**
 * A log that cannot be written ends no server. All lines are dropped once the terminal or a pipe's reader has gone. At any other failure, such as a full
 * disk, they wait, and each new line tries again.
 */
function standardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: WAITING_BYTES_MAX })
  // After each fatal line pino writes the lines that are left, again and again until none is: no signal would end the process.
  destination.flushSync = () => undefined
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EIO' || code === 'EPIPE') destination.write = () => true
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

export interface ServerLogParts {
  /** Takes the lines instead of stderr, for tests. */
  readonly write?: (line: string) => void
  /** Fields of every line. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Takes the lines of level info and above, also where `level` keeps them from stderr. */
  readonly events?: EventLines | undefined
}

const INFO = 30

export function serverLog(level: string, { write, facts = {}, events }: ServerLogParts = {}): Logger {
  const destination = write === undefined ? standardError() : { write }
  const limit = pino.levels.values[level] ?? Number.POSITIVE_INFINITY
  const options = { name: 'tidegate', serializers: SERIALIZERS, hooks: HOOKS }
  const log =
    events === undefined
      ? pino({ ...options, level }, destination)
      : pino({ ...options, level: limit > INFO ? 'info' : level }, withEvents(destination, limit, events))
  return Object.keys(facts).length === 0 ? log : log.child(facts)
}

/** pino sets `lastLevel` before each line of a destination with its mark. */
function withEvents(
  destination: DestinationStream,
  limit: number,
  events: EventLines,
): DestinationStream & { lastLevel: number } {
  return Object.assign(
    {
      lastLevel: 0,
      write(line: string): void {
        if (this.lastLevel >= limit) destination.write(line)
        if (this.lastLevel >= INFO) events.add(line)
      },
    },
    { [pino.symbols.needsMetadataGsym]: true },
  )
}
