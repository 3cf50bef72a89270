/** Tidegate's own login as a client of other servers, renewed before its tickets end. */

import { reasonOf } from '../../model/error-reason.ts'
import type { Protection, SaslExchange } from '../../wire/sasl/sasl.ts'
import { SaslFailure } from '../../wire/sasl/sasl.ts'
import type { KerberosLogin, KerberosLoginOptions } from '../kerberos.ts'
import { GssExchange } from './gss-exchange.ts'
import type { GssLibrary } from './gss-library.ts'
import type { Credential } from './gss-orders.ts'
import type { GssThread } from './gss-thread.ts'
import { GssapiClient } from './gssapi-client.ts'
import type { ProtectingThreads } from './protecting-threads.ts'
import { newTicketCache } from './ticket-caches.ts'

/** A keytab's tickets are renewed after this part of their life. MIT's library and Hadoop do so at the half and at four fifths. */
const RENEWED_AFTER = 0.6
/** Seconds between attempts where one has failed, and between looks at a cache that another program renews. */
const [RETRY_S, LOOK_S] = [30, 60]
/** The longest wait of a timer, in seconds: tickets may last for weeks. */
const TIMER_S_MAX = 24 * 3600

/** The threads of a login. Its renewals may hang where a KDC takes connections and answers none. */
export interface LoginThreads {
  readonly renewing: GssThread
  /** Makes the steps of exchanges, and gives back the credentials that they have used: behind the last such step. */
  readonly connecting: GssThread
  readonly protecting: ProtectingThreads
}

/** A credential, kept until the last exchange that began with it has ended. */
class HeldCredential {
  readonly credential: Credential
  readonly endsAtMs: number
  readonly #release: (wasUsed: boolean) => void
  #users = 1
  #wasUsed = false

  /** `release`: gives the credential back; exchanges may have used it, or none has. */
  constructor(credential: Credential, release: (wasUsed: boolean) => void) {
    this.credential = credential
    this.endsAtMs = Date.now() + credential.seconds * 1000
    this.#release = release
  }

  use(): void {
    this.#users++
    this.#wasUsed = true
  }

  leave(): void {
    if (--this.#users === 0) this.#release(this.#wasUsed)
  }
}

export class GssLogin implements KerberosLogin {
  readonly principal: string
  trouble: string | undefined
  readonly #gss: GssLibrary
  readonly #threads: LoginThreads
  readonly #options: KerberosLoginOptions
  #held: HeldCredential
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  private constructor(
    gss: GssLibrary,
    threads: LoginThreads,
    options: KerberosLoginOptions,
    held: HeldCredential,
  ) {
    this.#gss = gss
    this.#threads = threads
    this.#options = options
    this.#held = held
    this.principal = held.credential.principal
    this.#renewLater()
  }

  static async open(
    gss: GssLibrary,
    threads: LoginThreads,
    options: KerberosLoginOptions,
  ): Promise<GssLogin> {
    return new GssLogin(gss, threads, options, await logIn(threads, options))
  }

  get secondsLeft(): number {
    return Math.max(0, Math.floor((this.#held.endsAtMs - Date.now()) / 1000))
  }

  saslClient(target: string, protections: readonly Protection[]): SaslExchange {
    return this.#exchange(target, false, protections)
  }

  async negotiate(target: string): Promise<Buffer> {
    const exchange = this.#exchange(target, true, ['authentication'])
    try {
      const { token } = await exchange.step(Buffer.alloc(0))
      return token!
    } finally {
      exchange.close()
    }
  }

  #exchange(target: string, isSpnego: boolean, protections: readonly Protection[]): SaslExchange {
    if (this.#isClosed) throw new SaslFailure('the login by Kerberos is closed')
    const held = this.#held
    held.use()
    const { credential } = held.credential
    const { connecting, protecting } = this.#threads
    const threads = { steps: connecting, messages: protecting }
    const exchange = new GssExchange(this.#gss, threads, () => held.leave())
    return new GssapiClient(
      exchange,
      (context, token) => connecting.initiate({ credential, context, target, isSpnego, token }),
      protections,
    )
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#held.leave()
  }

  #renewLater(): void {
    const ofLife = this.#held.credential.seconds * RENEWED_AFTER
    const rest = ofLife - (this.#held.credential.seconds - this.secondsLeft)
    const wait = this.#options.keytab === undefined ? LOOK_S : rest
    const seconds = this.trouble === undefined ? wait : Math.min(RETRY_S, Math.max(1, this.secondsLeft / 4))
    this.#timer = setTimeout(() => void this.#renew(), Math.min(Math.max(1, seconds), TIMER_S_MAX) * 1000)
    this.#timer.unref()
  }

  async #renew(): Promise<void> {
    try {
      const isDue = this.#options.keytab === undefined || this.#isLate
      if (isDue) {
        const held = await logIn(this.#threads, this.#options)
        if (this.#isClosed) held.leave()
        else {
          this.#held.leave()
          this.#held = held
        }
      }
      this.trouble = undefined
    } catch (error) {
      this.trouble = reasonOf(error)
    }
    if (!this.#isClosed) this.#renewLater()
  }

  get #isLate(): boolean {
    const { seconds } = this.#held.credential
    return seconds - this.secondsLeft >= seconds * RENEWED_AFTER - 1
  }
}

async function logIn(
  { renewing, connecting }: LoginThreads,
  { principal, keytab, cache }: KerberosLoginOptions,
): Promise<HeldCredential> {
  const tickets = keytab === undefined ? cache : newTicketCache()
  const credential = await renewing.logIn({ principal, keytab, cache: tickets })
  return new HeldCredential(credential, (wasUsed) =>
    (wasUsed ? connecting : renewing).release(credential.credential, tickets),
  )
}
