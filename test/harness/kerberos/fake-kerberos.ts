/** Kerberos without a KDC, for tests of the parts that open it: it notes the options, and logs in as their principal. */

import {
  type Kerberos,
  KerberosError,
  type KerberosLogin,
  type KerberosLoginOptions,
  type KerberosService,
  type KerberosServiceOptions,
} from '../../../src/kerberos/kerberos.ts'

export class FakeKerberos implements Kerberos {
  readonly logins: KerberosLoginOptions[] = []
  readonly services: KerberosServiceOptions[] = []
  /** Logins and services that are open. */
  open = 0
  isClosed = false
  /** State of every login, which tests may change. */
  secondsLeft = 36_000
  trouble: string | undefined
  /** A keytab with no key. */
  emptyKeytab: string | undefined

  async logIn(options: KerberosLoginOptions): Promise<KerberosLogin> {
    this.#check(options.keytab)
    this.logins.push(options)
    const state = this as Pick<FakeKerberos, 'secondsLeft' | 'trouble'>
    return {
      ...this.#opened(),
      principal: options.principal ?? 'cached@CACHE.EXAMPLE',
      get secondsLeft() {
        return state.secondsLeft
      },
      get trouble() {
        return state.trouble
      },
      saslClient: unused,
      negotiate: unused,
    }
  }

  async accept(options: KerberosServiceOptions): Promise<KerberosService> {
    this.#check(options.keytab)
    this.services.push(options)
    return { ...this.#opened(), saslServer: unused, negotiate: unused }
  }

  async close(): Promise<void> {
    this.isClosed = true
  }

  #check(keytab: string | undefined): void {
    if (keytab !== undefined && keytab === this.emptyKeytab) throw new KerberosError(`${keytab} has no key`)
  }

  #opened(): { close(): void } {
    this.open++
    return { close: () => void this.open-- }
  }
}

function unused(): never {
  throw new Error('this Kerberos exchanges nothing')
}
