/** A Kerberos without cryptography: both sides of its logins, and layers that number and mask messages. */

import type { KerberosLogin } from '../../../../src/kerberos/kerberos.ts'
import {
  type Protection,
  type SaslExchange,
  SaslFailure,
  type SaslLayer,
  type SaslStep,
} from '../../../../src/wire/sasl/sasl.ts'

const MASK = 0x5a

/** One direction's messages are numbered from 0. */
export class FakeLayer implements SaslLayer {
  readonly protection: SaslLayer['protection']
  readonly messageBytesMax: number | undefined
  #sent = 0
  #received = 0

  constructor(protection: SaslLayer['protection'], messageBytesMax?: number) {
    this.protection = protection
    this.messageBytesMax = messageBytesMax
  }

  wrap(message: Buffer): Buffer {
    if (message.length > (this.messageBytesMax ?? Infinity)) throw new Error('a message that is too long')
    const token = Buffer.alloc(4 + message.length)
    token.writeInt32BE(this.#sent++)
    for (let at = 0; at < message.length; at++) token[4 + at] = message[at]! ^ MASK
    return token
  }

  unwrap(token: Buffer): Buffer {
    if (token.length < 4 || token.readInt32BE() !== this.#received)
      throw new SaslFailure('a protected message is refused: it is out of order')
    this.#received++
    return Buffer.from(token.subarray(4)).map((byte) => byte ^ MASK) as Buffer
  }
}

export interface FakeLogin {
  /** Undefined: the client's first choice. */
  readonly protection?: Protection
  /** The client's steps fail with it from this step on; default: none fails. */
  readonly failsAt?: { readonly step: number; readonly error: unknown }
  /** The client's steps never end. */
  readonly hangs?: boolean
  /** The client always has another message. */
  readonly isEndless?: boolean
  readonly messageBytesMax?: number
  /** The client's layer in place of the given one. */
  readonly layerOf?: (layer: SaslLayer) => SaslLayer
}

/** A login whose client sends `hello TARGET`, an empty token for the server's `welcome`, and `choice PROTECTION` for its `offer`. */
export class FakeKerberosLogin implements KerberosLogin {
  readonly principal = 'tidegate/host1@REALM'
  readonly secondsLeft = 3600
  readonly trouble: undefined
  readonly targets: string[] = []
  readonly open: Set<SaslExchange> = new Set()
  how: FakeLogin = {}

  saslClient(target: string, protections: readonly Protection[]): SaslExchange {
    this.targets.push(target)
    const exchange: SaslExchange = new FakeClient(target, protections, this.how, () =>
      this.open.delete(exchange),
    )
    this.open.add(exchange)
    return exchange
  }

  negotiate(): Promise<Buffer> {
    return Promise.reject(new Error('no HTTP here'))
  }

  close(): void {
    this.open.clear()
  }
}

class FakeClient implements SaslExchange {
  layer: SaslLayer | undefined
  readonly #target: string
  readonly #protection: Protection
  readonly #how: FakeLogin
  readonly #onClose: () => void
  #steps = 0

  constructor(target: string, protections: readonly Protection[], how: FakeLogin, onClose: () => void) {
    this.#target = target
    this.#protection = how.protection ?? protections[0]!
    this.#how = how
    this.#onClose = onClose
  }

  async step(token: Buffer): Promise<SaslStep> {
    const number = this.#steps++
    const { failsAt, hangs, isEndless } = this.#how
    if (hangs === true) return new Promise(() => undefined)
    if (isEndless === true) return { token: Buffer.alloc(0), isDone: false }
    if (failsAt !== undefined && number >= failsAt.step) throw failsAt.error
    if (number === 0) return { token: Buffer.from(`hello ${this.#target}`), isDone: false }
    const expected = number === 1 ? 'welcome' : 'offer'
    if (token.toString() !== expected) throw new SaslFailure(`the server says ${token.toString()}`)
    if (number === 1) return { token: Buffer.alloc(0), isDone: false }
    const { layerOf = (layer) => layer, messageBytesMax } = this.#how
    if (this.#protection !== 'authentication')
      this.layer = layerOf(new FakeLayer(this.#protection, messageBytesMax))
    return { token: Buffer.from(`choice ${this.#protection}`), isDone: true }
  }

  close(): void {
    this.#onClose()
  }
}
