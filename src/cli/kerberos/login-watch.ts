/** The state of Tidegate's own login by Kerberos: in the log, in /health and as a metric. */

import type { Logger } from 'pino'
import type { KerberosLogin } from '../../kerberos/kerberos.ts'
import type { Metric } from '../../model/metric.ts'

/** The log learns of a failure within so many milliseconds. */
const LOOK_MS = 15_000

type Watched = Pick<KerberosLogin, 'principal' | 'secondsLeft' | 'trouble'>

export class LoginWatch {
  readonly #login: Watched
  readonly #logger: Logger
  readonly #remedy: string
  #logged: string | undefined
  #timer: NodeJS.Timeout | undefined

  /** `isOfCache`: the ticket is one of kinit, which Tidegate cannot renew by itself. */
  constructor(login: Watched, logger: Logger, isOfCache = false) {
    this.#login = login
    this.#logger = logger
    this.#remedy = isOfCache ? ' (renew it in its cache by kinit, or use --kerberos-keytab)' : ''
  }

  /** Looks at the login from now on, until `close`. */
  begin(): this {
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref()
    return this
  }

  /** A failed renewal, or the end of the ticket, as a sentence; undefined where the login is sound. */
  get trouble(): string | undefined {
    const { principal, secondsLeft, trouble } = this.#login
    const reason = trouble === undefined ? '' : `: ${trouble}`
    if (secondsLeft <= 0)
      return `the ticket of ${principal} has expired, so that the cluster refuses it${reason}${reason.includes('kinit') ? '' : this.#remedy}`
    return trouble === undefined ? undefined : `the ticket of ${principal} cannot be renewed${reason}`
  }

  /** Logs what has changed since the last look. */
  look(): void {
    const { trouble } = this
    if (trouble === this.#logged) return
    const { principal, secondsLeft } = this.#login
    const facts = { principal, secondsLeft: Math.floor(secondsLeft) }
    if (trouble === undefined) this.#logger.info(facts, `the ticket of ${principal} is renewed again`)
    else if (secondsLeft <= 0) this.#logger.error(facts, trouble)
    else this.#logger.warn(facts, `${trouble}; it ends in ${facts.secondsLeft} s`)
    this.#logged = trouble
  }

  get metric(): Metric {
    return {
      name: 'tidegate_kerberos_ticket_seconds',
      kind: 'gauge',
      help: "Seconds until the ticket of Tidegate's login to the cluster ends; 0 once it has",
      labels: ['principal'],
      // Each process has a login of its own, all by the same keytab or cache: the value of one is enough.
      together: 'first',
      read: () => [{ labels: { principal: this.#login.principal }, value: this.#login.secondsLeft }],
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
