/** What is logged of requests, beside failures. */

import { InvalidArgumentError, Option } from 'commander'
import { parseYesNo } from './door-options.ts'

export interface LogSettings {
  /** A file or `-`; undefined: no access log. */
  readonly accessLog: string | undefined
  /** The access log shows row keys. */
  readonly accessLogRows: boolean
  /** A file or `-`; undefined: no audit log. */
  readonly auditLog: string | undefined
  /** Undefined: no slow log. */
  readonly slowLogMs: number | undefined
}

export function logOptions(): readonly Option[] {
  return [
    new Option(
      '--access-log <file>',
      'a line of JSON for each request of every door: a file, or - for stdout',
    )
      .env('TIDEGATE_ACCESS_LOG')
      .argParser(checkFile),
    new Option('--access-log-rows [yes]', 'row keys and paths in the access log, too')
      .env('TIDEGATE_ACCESS_LOG_ROWS')
      .preset('true')
      .argParser(parseYesNo)
      .default(false),
    new Option(
      '--audit-log <file>',
      'a line of JSON for each login, change and read: who, from where, whether he might; a file, or - for stdout',
    )
      .env('TIDEGATE_AUDIT_LOG')
      .argParser(checkFile),
    new Option('--slow-log-ms <n>', 'a line in the log for each operation of the store that takes longer')
      .env('TIDEGATE_SLOW_LOG_MS')
      .argParser(parseMs),
  ]
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
