import type { SaslLayer } from './sasl.ts'

/**
 * The messages of one connection in both directions, in the order in which they are handed over: both share the state of a layer. Small messages are done at
 * once. A large one is done while the event loop runs, and all messages behind it wait for it.
 */
export class LayerLine {
  readonly layer: SaslLayer
  readonly #largeMin: number
  #isBusy = false
  readonly #waiting: (() => void)[] = []

  constructor(layer: SaslLayer) {
    this.layer = layer
    this.#largeMin = layer.large?.bytesMin ?? Number.POSITIVE_INFINITY
  }

  /** A message of more bytes is not done at once. */
  get atOnceBytesMax(): number {
    return this.#isBusy ? 0 : this.#largeMin - 1
  }

  /** The protected form of a message. Throws and rejects as SaslLayer.wrap throws. The message must stay as it is until then. */
  wrap(message: Buffer): Buffer | Promise<Buffer> {
    const { layer } = this
    if (message.length < this.#largeMin)
      return this.#isBusy ? this.#inOrder(() => layer.wrap(message)) : layer.wrap(message)
    return this.#inOrder(() => layer.large!.wrap(message))
  }

  /** The message of a protected form. Throws and rejects as SaslLayer.unwrap throws. The token must stay as it is until then. */
  unwrap(token: Buffer): Buffer | Promise<Buffer> {
    const { layer } = this
    if (token.length < this.#largeMin)
      return this.#isBusy ? this.#inOrder(() => layer.unwrap(token)) : layer.unwrap(token)
    return this.#inOrder(() => layer.large!.unwrap(token))
  }

  async #inOrder(work: () => Buffer | Promise<Buffer>): Promise<Buffer> {
    // Resolved by the work before it, which leaves the line busy.
    if (this.#isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isBusy = true
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#isBusy = false
      else next()
    }
  }
}
