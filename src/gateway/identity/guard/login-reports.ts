import type { Logger } from 'pino'
import { isHBaseError } from '../../../model/errors.ts'
import type { AuditLog } from '../../observing/audit/audit-log.ts'
import { LoginCounts } from './login-counts.ts'
import type { LoginPlace } from './login-place.ts'

/** Reports logins: to the counts, to the log where they failed, and to the audit log. */
export class LoginReports {
  readonly counts: LoginCounts = new LoginCounts()
  readonly #logger: Logger
  readonly #audit: AuditLog | undefined

  /** `audit`: undefined: there is no audit log. */
  constructor(logger: Logger, audit: AuditLog | undefined) {
    this.#logger = logger
    this.#audit = audit
  }

  succeeded(user: string, { door, address }: LoginPlace): void {
    this.#audit?.write({ door, user, address, action: 'login', allowed: true })
  }

  /** Credentials that are wrong, or that were not looked at after too many wrong ones. `user`: the user, or words for the credentials. */
  failed(user: string, place: LoginPlace, error: unknown): void {
    const reason = isHBaseError(error) ? error.message : 'a failure of Tidegate'
    const { address, door } = place
    this.counts.failed(door, isHBaseError(error) && error.code === 'THROTTLED')
    this.#logger.warn({ audit: 'login', allowed: false, user, address, reason }, `a login failed: ${reason}`)
    this.refused(user, place, error)
  }

  /** Writes a refused login to the audit log alone. `user`: the user that the client claims to be. */
  refused(user: string | undefined, { door, address }: LoginPlace, error: unknown, realUser?: string): void {
    const reason = error instanceof Error ? error.message : 'a failure of Tidegate'
    this.#audit?.write({ door, user, realUser, address, action: 'login', allowed: false, reason })
  }
}
