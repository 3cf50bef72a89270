/** Logs and traces of requests, beside failures. */

import { InvalidArgumentError } from 'commander'
import { type SettingsOf, yesNo } from './setting.ts'
import { checkEndpoint, ENDPOINT_VARIABLE } from './trace-options.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export interface LogValues extends LogSettings {
  /** The least severe level that is logged. */
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** The collector of traces; undefined or empty: the variables alone decide. */
  readonly otlpEndpoint: string | undefined
  /** True: traces show row keys and paths. */
  readonly traceRows: boolean
}

export interface LogSettings {
  /** A file, or `-` for stdout; undefined: no access log. */
  readonly accessLog: string | undefined
  /** True: the access log shows row keys and paths. */
  readonly accessLogRows: boolean
  /** A file, or `-` for stdout; undefined: no audit log. */
  readonly auditLog: string | undefined
  /** Milliseconds beyond which an operation is slow; undefined: no slow log. */
  readonly slowLogMs: number | undefined
}

export const LOG_SETTINGS: SettingsOf<LogValues> = {
  logLevel: {
    group: 'Log and traces',
    takes: '<level>',
    about: 'the least severe level that is logged',
    choices: LOG_LEVELS,
    fallback: 'info',
  },
  accessLog: {
    group: 'Log and traces',
    takes: '<file>',
    about: 'a line of JSON for each request of every door: a file, or - for stdout',
    parse: checkFile,
    fallback: undefined,
  },
  accessLogRows: yesNo('Log and traces', 'show row keys and paths in the access log, too'),
  auditLog: {
    group: 'Log and traces',
    takes: '<file>',
    about:
      'a line of JSON for each login, change and read: the user, the address, and whether it was allowed; a file, or - for stdout',
    parse: checkFile,
    fallback: undefined,
  },
  slowLogMs: {
    group: 'Log and traces',
    takes: '<n>',
    about: 'log each operation of the store that takes more milliseconds',
    parse: parseMs,
    fallback: undefined,
  },
  otlpEndpoint: {
    group: 'Log and traces',
    takes: '<url>',
    about:
      "send traces to this collector by OTLP over HTTP, as http://127.0.0.1:4318; OpenTelemetry's other variables count, too",
    parse: checkEndpoint,
    fallback: undefined,
    variable: ENDPOINT_VARIABLE,
  },
  traceRows: yesNo('Log and traces', 'show row keys and paths in traces, too'),
}

function checkFile(text: string): string {
  if (text.trim() === text && text !== '' && !text.includes('\0')) return text
  throw new InvalidArgumentError('It must be a file, or - for stdout.')
}

function parseMs(text: string): number {
  const ms = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (ms >= 0) return ms
  throw new InvalidArgumentError('It must be a whole number of milliseconds.')
}
