/** A service of Tidegate, to which clients log in with their tickets. */

import type { Protection, SaslServer } from '../../wire/sasl/sasl.ts'
import { SaslFailure } from '../../wire/sasl/sasl.ts'
import {
  type KerberosService,
  type KerberosServiceOptions,
  type Negotiated,
  UnfinishedNegotiation,
} from '../kerberos.ts'
import { type ExchangeThreads, GssExchange } from './gss-exchange.ts'
import type { GssLibrary } from './gss-library.ts'
import { GssapiServer } from './gssapi-server.ts'

const NTLM = Buffer.from('NTLMSSP\0')
const ANY = '*'

export class GssService implements KerberosService {
  readonly #gss: GssLibrary
  readonly #threads: ExchangeThreads
  readonly #credential: bigint

  private constructor(gss: GssLibrary, threads: ExchangeThreads, credential: bigint) {
    this.#gss = gss
    this.#threads = threads
    this.#credential = credential
  }

  static async open(
    gss: GssLibrary,
    threads: ExchangeThreads,
    { principal, keytab }: KerberosServiceOptions,
  ): Promise<GssService> {
    const named = principal === ANY ? undefined : principal
    const { credential } = await threads.steps.serve({ principal: named, keytab })
    return new GssService(gss, threads, credential)
  }

  saslServer(protections: readonly Protection[]): SaslServer {
    const credential = this.#credential
    return new GssapiServer(
      new GssExchange(this.#gss, this.#threads),
      (context, token) => this.#threads.steps.accept({ credential, context, token }),
      protections,
    )
  }

  async negotiate(token: Buffer): Promise<Negotiated> {
    if (token.subarray(0, NTLM.length).equals(NTLM))
      throw new SaslFailure('the client shows a token of NTLM, not a ticket of Kerberos')
    const exchange = new GssExchange(this.#gss, this.#threads)
    try {
      const credential = this.#credential
      const step = await exchange.step((context) =>
        this.#threads.steps.accept({ credential, context, token }),
      )
      if (!step.isDone) throw new UnfinishedNegotiation()
      return {
        principal: step.principal,
        token: step.token.length === 0 ? undefined : Buffer.from(step.token),
      }
    } finally {
      exchange.close()
    }
  }

  close(): void {
    this.#threads.steps.release(this.#credential)
  }
}
