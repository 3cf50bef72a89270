import type { InvariantError } from '../../../src/model/assert.ts'
import { systemCodeOf } from '../../../src/model/error-reason.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { NativeLog } from '../platform/native-log.ts'

export function outageError(cause: unknown): HBaseError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `the write-ahead log cannot be written (${reason}): the store takes no writes until it can`
  return new HBaseError('UNAVAILABLE', message, { cause })
}

/** Why the log takes no records any more. `cause`: a bug of ours, or why another process may have the log. */
export function stopError(cause: InvariantError | HBaseError): HBaseError {
  if (cause instanceof HBaseError) return cause
  const reason = `an invariant of the engine does not hold (${cause.message})`
  const message = `${reason}: the store takes no writes until it is started again`
  return new HBaseError('UNAVAILABLE', message, { cause })
}

/**
 * Logs an outage of the write-ahead log once. On a full disk a new log can often be begun, and fails at its first record:
 * only a record that is written ends the outage.
 */
export class LogOutage {
  readonly #log: NativeLog
  #reported: string | undefined

  constructor(log: NativeLog) {
    this.#log = log
  }

  failed(failure: HBaseError): void {
    // The message names a file, which is another one after each attempt.
    const cause = systemCodeOf(failure) ?? failure.message
    if (cause === this.#reported) return
    this.#reported = cause
    this.#log('error', failure.message, { error: failure, outage: true })
  }

  written(): void {
    if (this.#reported === undefined) return
    this.#reported = undefined
    this.#log('info', 'the write-ahead log is written again')
  }
}

export function closed(): HBaseError {
  return new HBaseError('UNAVAILABLE', 'the store is closed')
}
