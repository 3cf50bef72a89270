import type {
  Kerberos,
  KerberosLogin,
  KerberosLoginOptions,
  KerberosService,
  KerberosServiceOptions,
} from '../kerberos.ts'
import { GssLibrary } from './gss-library.ts'
import { GssThread } from './gss-thread.ts'
import { GssLogin } from './login.ts'
import { ProtectingThreads } from './protecting-threads.ts'
import { GssService } from './service.ts'

/** Opens the system's GSSAPI. Throws KerberosError where it, or the package koffi, is missing. */
export function openKerberos(): Kerberos {
  return new GssKerberos(new GssLibrary())
}

class GssKerberos implements Kerberos {
  readonly #gss: GssLibrary
  /** Renewals wait for the KDC. New connections that have their ticket already must not wait behind them, and logins of clients here need no KDC at all. */
  readonly #renewing: GssThread
  readonly #outward: GssThread
  readonly #inward: GssThread
  readonly #protecting: ProtectingThreads

  constructor(gss: GssLibrary) {
    this.#gss = gss
    this.#renewing = new GssThread(gss)
    this.#outward = new GssThread(gss)
    this.#inward = new GssThread(gss)
    this.#protecting = new ProtectingThreads(gss)
  }

  logIn(login: KerberosLoginOptions): Promise<KerberosLogin> {
    return GssLogin.open(
      this.#gss,
      { renewing: this.#renewing, connecting: this.#outward, protecting: this.#protecting },
      login,
    )
  }

  accept(service: KerberosServiceOptions): Promise<KerberosService> {
    return GssService.open(this.#gss, { steps: this.#inward, messages: this.#protecting }, service)
  }

  async close(): Promise<void> {
    const threads = [this.#renewing, this.#outward, this.#inward, this.#protecting]
    await Promise.all(threads.map((thread) => thread.close()))
  }
}
