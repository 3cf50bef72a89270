/**
 * The protection of messages behind a login by DIGEST-MD5 (RFC 2831, 2.3 and 2.4): a checksum (auth-int), or 3DES and a checksum (auth-conf). Both end
 * with the type 1 in 2 bytes and the message's number in 4. The cipher goes on from one message to the next, as Java's does.
 */

import {
  type Cipher,
  createCipheriv,
  createDecipheriv,
  createHmac,
  type Decipher,
  type Hmac,
  timingSafeEqual,
} from 'node:crypto'
import { manyATurn } from '../../model/many-a-turn.ts'
import type { Steps } from '../../model/steps.ts'
import { cipherInSteps, digestInSteps } from './bytes-in-steps.ts'
import { md5 } from './digest-md5-session.ts'
import { type LargeMessages, type Protection, SaslFailure, type SaslLayer } from './sasl.ts'

export type Side = 'client' | 'server'

const MAC_BYTES = 10
/** Of the type and the number. */
const END_BYTES = 6
const TYPE = 1
const BLOCK_BYTES = 8
/** Messages of so many bytes take a millisecond with a checksum alone, and some milliseconds with 3DES. */
const LARGE_BYTES_MIN = { integrity: 512 * 1024, privacy: 64 * 1024 } as const
const CIPHER_NAME = 'des-ede3-cbc'
const SIGNING = {
  client: 'Digest session key to client-to-server signing key magic constant',
  server: 'Digest session key to server-to-client signing key magic constant',
} as const
const SEALING = {
  client: 'Digest H(A1) to client-to-server sealing key magic constant',
  server: 'Digest H(A1) to server-to-client sealing key magic constant',
} as const

/** The layer of `side`; undefined where messages go as they are. `secret`: H(A1) of the login. */
export function digestLayer(protection: Protection, secret: Buffer, side: Side): SaslLayer | undefined {
  if (protection === 'authentication') return undefined
  return protection === 'integrity' ? new IntegrityLayer(secret, side) : new PrivacyLayer(secret, side)
}

/** Signs messages of one direction, or checks their signatures. */
class Signer {
  readonly #key: Buffer
  #number = 0

  constructor(secret: Buffer, from: Side) {
    this.#key = md5(Buffer.concat([secret, Buffer.from(SIGNING[from])]))
  }

  /** The signature and the end of the next message. */
  next(message: Buffer): Signature {
    const end = this.#nextEnd()
    const mac = this.#hmac(end).update(message).digest()
    return { mac: mac.subarray(0, MAC_BYTES), end }
  }

  *nextInSteps(message: Buffer): Steps<Signature> {
    const end = this.#nextEnd()
    const hmac = this.#hmac(end)
    yield* digestInSteps(hmac, message)
    return { mac: hmac.digest().subarray(0, MAC_BYTES), end }
  }

  #nextEnd(): Buffer {
    const end = Buffer.alloc(END_BYTES)
    end.writeUInt16BE(TYPE)
    end.writeUInt32BE(this.#number, 2)
    // Java's number is an int, which begins again.
    this.#number = (this.#number + 1) >>> 0
    return end
  }

  #hmac(end: Buffer): Hmac {
    return createHmac('md5', this.#key).update(end.subarray(2))
  }
}

interface Signature {
  readonly mac: Buffer
  readonly end: Buffer
}

/** Throws SaslFailure unless the message is the next one, as it was sent. */
function check(expected: Signature, mac: Buffer, end: Buffer): void {
  if (!timingSafeEqual(expected.mac, mac) || !expected.end.equals(end)) throw changed()
}

class IntegrityLayer implements SaslLayer {
  readonly protection = 'integrity'
  readonly large: LargeMessages = {
    bytesMin: LARGE_BYTES_MIN.integrity,
    wrap: (message) => manyATurn(this.#wrapInSteps(message)),
    unwrap: (token) => manyATurn(this.#unwrapInSteps(token)),
  }
  readonly #own: Signer
  readonly #peer: Signer

  constructor(secret: Buffer, side: Side) {
    this.#own = new Signer(secret, side)
    this.#peer = new Signer(secret, otherThan(side))
  }

  wrap(message: Buffer): Buffer {
    const { mac, end } = this.#own.next(message)
    return Buffer.concat([message, mac, end])
  }

  *#wrapInSteps(message: Buffer): Steps<Buffer> {
    const { mac, end } = yield* this.#own.nextInSteps(message)
    return Buffer.concat([message, mac, end])
  }

  unwrap(token: Buffer): Buffer {
    const macAt = token.length - END_BYTES - MAC_BYTES
    if (macAt < 0) throw tooShort(token)
    const message = token.subarray(0, macAt)
    check(
      this.#peer.next(message),
      token.subarray(macAt, macAt + MAC_BYTES),
      token.subarray(macAt + MAC_BYTES),
    )
    return message
  }

  *#unwrapInSteps(token: Buffer): Steps<Buffer> {
    const macAt = token.length - END_BYTES - MAC_BYTES
    const message = token.subarray(0, macAt)
    const signature = yield* this.#peer.nextInSteps(message)
    check(signature, token.subarray(macAt, macAt + MAC_BYTES), token.subarray(macAt + MAC_BYTES))
    return message
  }
}

class PrivacyLayer implements SaslLayer {
  readonly protection = 'privacy'
  readonly large: LargeMessages = {
    bytesMin: LARGE_BYTES_MIN.privacy,
    wrap: (message) => manyATurn(this.#wrapInSteps(message)),
    unwrap: (token) => manyATurn(this.#unwrapInSteps(token)),
  }
  readonly #own: Signer
  readonly #peer: Signer
  readonly #cipher: Cipher
  readonly #decipher: Decipher

  constructor(secret: Buffer, side: Side) {
    this.#own = new Signer(secret, side)
    this.#peer = new Signer(secret, otherThan(side))
    const own = sealingKey(secret, side)
    const peer = sealingKey(secret, otherThan(side))
    this.#cipher = createCipheriv(CIPHER_NAME, own.key, own.iv).setAutoPadding(false)
    this.#decipher = createDecipheriv(CIPHER_NAME, peer.key, peer.iv).setAutoPadding(false)
  }

  wrap(message: Buffer): Buffer {
    const { mac, end } = this.#own.next(message)
    return Buffer.concat([this.#cipher.update(padded(message, mac)), end])
  }

  *#wrapInSteps(message: Buffer): Steps<Buffer> {
    const { mac, end } = yield* this.#own.nextInSteps(message)
    const sealed = padded(message, mac)
    const token = Buffer.allocUnsafeSlow(sealed.length + END_BYTES)
    yield* cipherInSteps(this.#cipher, sealed, token)
    token.set(end, sealed.length)
    return token
  }

  unwrap(token: Buffer): Buffer {
    const sealed = sealedPart(token)
    const opened = openedParts(this.#decipher.update(sealed))
    return checked(opened, this.#peer.next(opened.message), token.subarray(sealed.length))
  }

  *#unwrapInSteps(token: Buffer): Steps<Buffer> {
    const sealed = sealedPart(token)
    const bytes = Buffer.allocUnsafeSlow(sealed.length)
    yield* cipherInSteps(this.#decipher, sealed, bytes)
    const opened = openedParts(bytes)
    return checked(opened, yield* this.#peer.nextInSteps(opened.message), token.subarray(sealed.length))
  }
}

/** The bytes to encrypt. */
function padded(message: Buffer, mac: Buffer): Buffer {
  // At least one byte: each is the number of bytes of the padding.
  const padding = BLOCK_BYTES - ((message.length + MAC_BYTES) % BLOCK_BYTES)
  return Buffer.concat([message, Buffer.alloc(padding, padding), mac])
}

/** The encrypted bytes of a token. */
function sealedPart(token: Buffer): Buffer {
  const endAt = token.length - END_BYTES
  // The signature, and at least one byte of padding.
  if (endAt < 2 * BLOCK_BYTES) throw tooShort(token)
  if (endAt % BLOCK_BYTES !== 0) throw changed()
  return token.subarray(0, endAt)
}

interface OpenedParts {
  readonly message: Buffer
  readonly isPadding: boolean
  readonly mac: Buffer
}

function openedParts(opened: Buffer): OpenedParts {
  const macAt = opened.length - MAC_BYTES
  const padding = opened[macAt - 1]!
  const isPadding = padding >= 1 && padding <= BLOCK_BYTES && padding <= macAt
  const message = opened.subarray(0, isPadding ? macAt - padding : macAt)
  return { message, isPadding, mac: opened.subarray(macAt) }
}

/** The signature is computed for wrong padding, too: the time of a refusal must not show which of both is wrong. */
function checked({ message, isPadding, mac }: OpenedParts, expected: Signature, end: Buffer): Buffer {
  check(expected, mac, end)
  if (!isPadding) throw changed()
  return message
}

/** Java: DigestMD5Base.makeDesKeys. The key of 14 bytes is the first and third key of 3DES, then the second. */
function sealingKey(secret: Buffer, from: Side): { readonly key: Buffer; readonly iv: Buffer } {
  const made = md5(Buffer.concat([secret, Buffer.from(SEALING[from])]))
  const first = withParity(made.subarray(0, 7))
  const second = withParity(made.subarray(7, 14))
  return { key: Buffer.concat([first, second, first]), iv: made.subarray(8) }
}

/** 56 bits as 8 bytes of 7 bits, each with a last bit that makes the number of its ones odd. */
export function withParity(bits: Buffer): Buffer {
  const key = Buffer.alloc(BLOCK_BYTES)
  let rest = BigInt(`0x${bits.toString('hex')}`)
  for (let at = BLOCK_BYTES - 1; at >= 0; at--) {
    const seven = Number(rest & 0x7fn)
    rest >>= 7n
    let ones = 0
    for (let bit = seven; bit !== 0; bit >>= 1) ones += bit & 1
    key[at] = (seven << 1) | (ones & 1 ? 0 : 1)
  }
  return key
}

function otherThan(side: Side): Side {
  return side === 'client' ? 'server' : 'client'
}

function changed(): SaslFailure {
  return new SaslFailure('DIGEST-MD5: a message was changed, repeated, left out, or is not in its order')
}

function tooShort(token: Buffer): SaslFailure {
  return new SaslFailure(`DIGEST-MD5: a message of ${token.length} bytes is too short to be protected`)
}
