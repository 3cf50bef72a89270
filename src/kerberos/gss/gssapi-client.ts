/** The client's side of SASL GSSAPI (RFC 4752). */

import type { Protection, SaslExchange, SaslLayer, SaslStep } from '../../wire/sasl/sasl.ts'
import { SaslFailure } from '../../wire/sasl/sasl.ts'
import type { GssExchange } from './gss-exchange.ts'
import { layerOf, OWN_BYTES_MAX } from './gss-layer.ts'
import type { Step } from './gss-orders.ts'
import type { SecurityContext } from './security-context.ts'
import { chosen, decodeOffer, encodeChoice } from './security-offer.ts'

export class GssapiClient implements SaslExchange {
  readonly #exchange: GssExchange
  readonly #run: (context: bigint, token: Buffer) => Promise<Step>
  readonly #liked: readonly Protection[]
  #layer: SaslLayer | undefined
  #isDone = false

  /** `run`: makes the step of a context with the server's token. */
  constructor(
    exchange: GssExchange,
    run: (context: bigint, token: Buffer) => Promise<Step>,
    liked: readonly Protection[],
  ) {
    this.#exchange = exchange
    this.#run = run
    this.#liked = liked
  }

  get layer(): SaslLayer | undefined {
    return this.#layer
  }

  async step(token: Buffer): Promise<SaslStep> {
    if (this.#isDone) throw new SaslFailure('the server goes on with a login that is done')
    const { context } = this.#exchange
    if (context !== undefined) return this.#choose(context, token)
    const { token: answer } = await this.#exchange.step((unfinished) => this.#run(unfinished, token))
    return { token: Buffer.from(answer), isDone: false }
  }

  #choose(context: SecurityContext, token: Buffer): SaslStep {
    const offer = decodeOffer(context.unwrap(token, false))
    const protection = chosen(this.#liked, offer.protections)
    this.#layer = layerOf(context, protection, offer.bytesMax)
    this.#isDone = true
    const bytesMax = this.#layer === undefined ? 0 : OWN_BYTES_MAX
    const choice = encodeChoice({ protection, bytesMax, authorized: '' })
    return { token: context.wrap(choice, false), isDone: true }
  }

  close(): void {
    this.#exchange.close()
  }
}
