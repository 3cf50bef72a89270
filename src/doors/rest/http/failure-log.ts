import type { Logger } from 'pino'
import { ERROR_TRAITS, type ErrorCode, type HBaseError } from '../../../model/errors.ts'
import type { RestRequest } from './request.ts'

/** The time between two lines about the same code: an outage fails thousands of requests a second. */
const QUIET_MS = 10_000

interface Told {
  atMs: number
  /** Failures since then, for which the log has no line. */
  untold: number
}

/** Logs the requests that fail through no fault of their clients. */
export class FailureLog {
  readonly #logger: Logger
  readonly #now: () => number
  readonly #told = new Map<ErrorCode, Told>()

  /** `now`: milliseconds since any fixed moment. */
  constructor(logger: Logger, now: () => number = () => performance.now()) {
    this.#logger = logger
    this.#now = now
  }

  failed(error: HBaseError, { method, path }: Pick<RestRequest, 'method' | 'path'>): void {
    const { code } = error
    if (ERROR_TRAITS[code].fault === 'client') {
      this.#logger.debug({ code, method, path, reason: error.message }, 'REST: a request was refused')
      return
    }
    const now = this.#now()
    const told = this.#told.get(code)
    if (told !== undefined && now - told.atMs < QUIET_MS) {
      told.untold++
      return
    }
    this.#told.set(code, { atMs: now, untold: 0 })
    const untold = told === undefined || told.untold === 0 ? {} : { untold: told.untold }
    this.#logger.warn({ err: error, code, method, path, ...untold }, 'REST: a request failed')
  }
}
