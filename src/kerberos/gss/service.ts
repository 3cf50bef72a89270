/** A service of Tidegate, to which clients log in with their tickets. */

import type { Protection, SaslServer } from '../../wire/sasl/sasl.ts'
import { SaslFailure } from '../../wire/sasl/sasl.ts'
import {
  type KerberosService,
  type KerberosServiceOptions,
  type Negotiated,
  UnfinishedNegotiation,
} from '../kerberos.ts'
import { GssExchange } from './gss-exchange.ts'
import type { GssLibrary } from './gss-library.ts'
import type { GssThread } from './gss-thread.ts'
import { GssapiServer } from './gssapi-server.ts'

const NTLM = Buffer.from('NTLMSSP\0')
const ANY = '*'

export class GssService implements KerberosService {
  readonly #gss: GssLibrary
  readonly #thread: GssThread
  readonly #credential: bigint

  private constructor(gss: GssLibrary, thread: GssThread, credential: bigint) {
    this.#gss = gss
    this.#thread = thread
    this.#credential = credential
  }

  static async open(
    gss: GssLibrary,
    thread: GssThread,
    { principal, keytab }: KerberosServiceOptions,
  ): Promise<GssService> {
    const named = principal === ANY ? undefined : principal
    const { credential } = await thread.serve({ principal: named, keytab })
    return new GssService(gss, thread, credential)
  }

  saslServer(protections: readonly Protection[]): SaslServer {
    const credential = this.#credential
    return new GssapiServer(
      new GssExchange(this.#gss, this.#thread),
      (context, token) => this.#thread.accept({ credential, context, token }),
      protections,
    )
  }

  async negotiate(token: Buffer): Promise<Negotiated> {
    if (token.subarray(0, NTLM.length).equals(NTLM))
      throw new SaslFailure('the client shows a token of NTLM, not a ticket of Kerberos')
    const exchange = new GssExchange(this.#gss, this.#thread)
    try {
      const credential = this.#credential
      const step = await exchange.step((context) => this.#thread.accept({ credential, context, token }))
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
    this.#thread.release(this.#credential)
  }
}
