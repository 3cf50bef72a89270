/** The server's side of SASL GSSAPI (RFC 4752). */

import type { Protection, SaslLayer, SaslServer, SaslStep } from '../../wire/sasl/sasl.ts'
import { SaslFailure } from '../../wire/sasl/sasl.ts'
import type { GssExchange } from './gss-exchange.ts'
import { layerOf, OWN_BYTES_MAX } from './gss-layer.ts'
import type { Step } from './gss-orders.ts'
import type { SecurityContext } from './security-context.ts'
import { decodeChoice, encodeOffer } from './security-offer.ts'

export class GssapiServer implements SaslServer {
  authenticated = ''
  authorized = ''
  readonly #exchange: GssExchange
  readonly #run: (context: bigint, token: Buffer) => Promise<Step>
  readonly #taken: readonly Protection[]
  #layer: SaslLayer | undefined
  #hasOffered = false
  #isDone = false

  /** `run`: makes the step of a context with the client's token. */
  constructor(
    exchange: GssExchange,
    run: (context: bigint, token: Buffer) => Promise<Step>,
    taken: readonly Protection[],
  ) {
    this.#exchange = exchange
    this.#run = run
    this.#taken = taken
  }

  get layer(): SaslLayer | undefined {
    return this.#layer
  }

  async step(token: Buffer): Promise<SaslStep> {
    if (this.#isDone) throw new SaslFailure('the client goes on with a login that is done')
    const { context } = this.#exchange
    if (context === undefined) return this.#accept(token)
    return this.#hasOffered ? this.#takeChoice(context, token) : this.#offer(context, token)
  }

  async #accept(token: Buffer): Promise<SaslStep> {
    const step = await this.#exchange.step((unfinished) => this.#run(unfinished, token))
    if (step.isDone) this.authenticated = step.principal
    const { context } = this.#exchange
    // Where the client expects no token, the offer follows at once.
    if (context !== undefined && step.token.length === 0) return this.#offer(context, Buffer.alloc(0))
    return { token: Buffer.from(step.token), isDone: false }
  }

  /** The client has the last token of the context: it answers with an empty message. */
  #offer(context: SecurityContext, token: Buffer): SaslStep {
    if (token.length > 0) throw new SaslFailure('the client sends a token behind its last one')
    this.#hasOffered = true
    const hasLayer = this.#taken.some((protection) => protection !== 'authentication')
    const offer = encodeOffer({ protections: this.#taken, bytesMax: hasLayer ? OWN_BYTES_MAX : 0 })
    return { token: context.wrap(offer, false), isDone: false }
  }

  #takeChoice(context: SecurityContext, token: Buffer): SaslStep {
    const { protection, bytesMax, authorized } = decodeChoice(context.unwrap(token, false), this.#taken)
    this.#layer = layerOf(context, protection, bytesMax)
    this.authorized = authorized
    this.#isDone = true
    return { token: undefined, isDone: true }
  }

  close(): void {
    this.#exchange.close()
  }
}
