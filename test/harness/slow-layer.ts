/** Makes the large messages of a layer late, as the threads of Kerberos do, and finds parts that use it for two things at a time. */

import type { LargeMessages, SaslLayer } from '../../src/wire/sasl/sasl.ts'

function nothing(): void {
  // No message is held up.
}

export class SlowLayer implements SaslLayer {
  readonly protection: SaslLayer['protection']
  readonly messageBytesMax: number | undefined
  readonly large: LargeMessages
  readonly #layer: SaslLayer
  /** Waited for by each large message, in place of the work of a thread. */
  pause: () => Promise<unknown> = () => new Promise(setImmediate)
  /** Large messages so far. */
  count = 0
  isBusy = false

  constructor(layer: SaslLayer, bytesMin: number) {
    this.#layer = layer
    this.protection = layer.protection
    this.messageBytesMax = layer.messageBytesMax
    this.large = {
      bytesMin,
      wrap: (message) => this.#late(() => layer.wrap(message)),
      unwrap: (token) => this.#late(() => layer.unwrap(token)),
    }
  }

  /** Holds large messages up from now on, until the returned function is called. */
  hold(): () => void {
    let release = nothing
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    this.pause = () => released
    return () => release()
  }

  wrap(message: Buffer): Buffer {
    this.#checkIdle()
    return this.#layer.wrap(message)
  }

  unwrap(token: Buffer): Buffer {
    this.#checkIdle()
    return this.#layer.unwrap(token)
  }

  async #late(work: () => Buffer): Promise<Buffer> {
    this.#checkIdle()
    this.isBusy = true
    this.count++
    try {
      await this.pause()
      return work()
    } finally {
      this.isBusy = false
    }
  }

  #checkIdle(): void {
    if (this.isBusy) throw new Error('the layer is used for two messages at a time')
  }
}
