/**
 * HBase's own encryption of native RPC, in place of Kerberos's behind a login with `privacy`. The client asks for it in its connection header, and the
 * server answers with the keys of both directions:
 *
 *     message := AES/CTR of (bytes | mac) | number i32
 *     mac     := the first 10 bytes of HMAC-MD5 of (number | bytes)
 *
 * Each direction has a key for both, one stream of AES over all its messages, and numbers that begin with 0. HBase: CryptoAES.
 */

import {
  type Cipher,
  createCipheriv,
  createDecipheriv,
  createHmac,
  type Decipher,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { readInt32, writeInt32 } from '../../model/bytes.ts'
import { manyATurn } from '../../model/many-a-turn.ts'
import type { Steps } from '../../model/steps.ts'
import { cipherInSteps, digestInSteps } from '../sasl/bytes-in-steps.ts'
import { type LargeMessages, SaslFailure, type SaslLayer } from '../sasl/sasl.ts'
import { type ConnectionHeaderResponse, ConnectionHeaderResponseSchema } from './gen/rpc_pb.ts'

/** The only one that HBase takes, in any case of letters. HBase: hbase.rpc.crypto.encryption.aes.cipher.transform. */
export const AES_TRANSFORMATION = 'AES/CTR/NoPadding'

const MAC_BYTES = 10
const NUMBER_BYTES = 4
const IV_BYTES = 16
/** HBase: hbase.rpc.crypto.encryption.aes.cipher.keySizeBits. Its initial vector has the length of the key, so no other length works. */
const KEY_BYTES = 16
const KEY_LENGTHS: readonly number[] = [16, 24, 32]
/** A message of so many bytes takes a millisecond or two. */
const LARGE_BYTES_MIN = 512 * 1024

/** The keys of one side. `in`: for the messages that it reads. */
export interface CryptoAesKeys {
  readonly inKey: Buffer
  readonly inIv: Buffer
  readonly outKey: Buffer
  readonly outIv: Buffer
}

/** New keys for a server's side of a connection. */
export function newCryptoAesKeys(): CryptoAesKeys {
  const [inKey, inIv, outKey, outIv] = [KEY_BYTES, IV_BYTES, KEY_BYTES, IV_BYTES].map((n) => randomBytes(n))
  return { inKey: inKey!, inIv: inIv!, outKey: outKey!, outIv: outIv! }
}

/** True where a client's connection header asks for this encryption. */
export function isAesTransformation(name: string): boolean {
  return name.toLowerCase() === AES_TRANSFORMATION.toLowerCase()
}

/** Encodes the server's answer to a connection header, without the length before it. `keys`: the server's; the message has the client's. */
export function encodeConnectionHeaderResponse(keys: CryptoAesKeys): Buffer {
  const { inKey, inIv, outKey, outIv } = keys
  const schema = ConnectionHeaderResponseSchema
  const cryptoCipherMeta = {
    transformation: AES_TRANSFORMATION,
    inKey: outKey,
    inIv: outIv,
    outKey: inKey,
    outIv: inIv,
  }
  return Buffer.from(toBinary(schema, create(schema, { cryptoCipherMeta })))
}

/** The client's keys; undefined where the server goes on without AES. Throws SaslFailure for another encryption, and for a malformed message. */
export function decodeConnectionHeaderResponse(message: Buffer): CryptoAesKeys | undefined {
  const meta = readResponse(message).cryptoCipherMeta
  if (meta === undefined) return undefined
  const { transformation } = meta
  if (!isAesTransformation(transformation))
    throw new SaslFailure(`the server wants to encrypt by ${transformation}; known is ${AES_TRANSFORMATION}`)
  const [inKey, inIv, outKey, outIv] = [meta.inKey, meta.inIv, meta.outKey, meta.outIv].map((bytes) =>
    Buffer.from(bytes),
  )
  return { inKey: inKey!, inIv: inIv!, outKey: outKey!, outIv: outIv! }
}

function readResponse(message: Buffer): ConnectionHeaderResponse {
  try {
    return fromBinary(ConnectionHeaderResponseSchema, message, { readUnknownFields: false })
  } catch (cause) {
    throw new SaslFailure("the server's answer to the connection header is malformed", cause)
  }
}

/** One side's encryption of a connection. */
export class CryptoAesLayer implements SaslLayer {
  readonly protection = 'privacy'
  readonly large: LargeMessages = {
    bytesMin: LARGE_BYTES_MIN,
    wrap: (message) => manyATurn(this.#wrapInSteps(message)),
    unwrap: (token) => manyATurn(this.#unwrapInSteps(token)),
  }
  readonly #inKey: Buffer
  readonly #outKey: Buffer
  readonly #encrypt: Cipher
  readonly #decrypt: Decipher
  readonly #inNumber = Buffer.alloc(NUMBER_BYTES)
  readonly #outNumber = Buffer.alloc(NUMBER_BYTES)

  /** Throws SaslFailure for keys of a wrong length. */
  constructor({ inKey, inIv, outKey, outIv }: CryptoAesKeys) {
    for (const [key, iv] of [
      [inKey, inIv],
      [outKey, outIv],
    ] as const)
      if (!KEY_LENGTHS.includes(key.length) || iv.length !== IV_BYTES)
        throw new SaslFailure(`AES with a key of ${key.length} bytes and an IV of ${iv.length}`)
    this.#inKey = inKey
    this.#outKey = outKey
    this.#encrypt = createCipheriv(cipherOf(outKey), outKey, outIv)
    this.#decrypt = createDecipheriv(cipherOf(inKey), inKey, inIv)
  }

  wrap(message: Buffer): Buffer {
    const number = this.#outNumber
    const mac = macOf(this.#outKey, number, message)
    const wrapped = Buffer.concat([this.#encrypt.update(message), this.#encrypt.update(mac), number])
    countUp(number)
    return wrapped
  }

  *#wrapInSteps(message: Buffer): Steps<Buffer> {
    const number = this.#outNumber
    const mac = yield* macInSteps(this.#outKey, number, message)
    const wrapped = Buffer.allocUnsafeSlow(message.length + MAC_BYTES + NUMBER_BYTES)
    yield* cipherInSteps(this.#encrypt, message, wrapped)
    wrapped.set(this.#encrypt.update(mac), message.length)
    wrapped.set(number, message.length + MAC_BYTES)
    countUp(number)
    return wrapped
  }

  unwrap(token: Buffer): Buffer {
    const encryptedBytes = token.length - NUMBER_BYTES
    if (encryptedBytes < MAC_BYTES) throw changed(`a message of ${token.length} bytes`)
    const decrypted = this.#decrypt.update(token.subarray(0, encryptedBytes))
    const message = decrypted.subarray(0, encryptedBytes - MAC_BYTES)
    const number = token.subarray(encryptedBytes)
    this.#check(macOf(this.#inKey, number, message), decrypted.subarray(message.length), number)
    return message
  }

  *#unwrapInSteps(token: Buffer): Steps<Buffer> {
    const encryptedBytes = token.length - NUMBER_BYTES
    const decrypted = Buffer.allocUnsafeSlow(encryptedBytes)
    yield* cipherInSteps(this.#decrypt, token.subarray(0, encryptedBytes), decrypted)
    const message = decrypted.subarray(0, encryptedBytes - MAC_BYTES)
    const number = token.subarray(encryptedBytes)
    const mac = yield* macInSteps(this.#inKey, number, message)
    this.#check(mac, decrypted.subarray(message.length), number)
    return message
  }

  /** Counts the message. Throws SaslFailure where it is not the next one, as it was sent. */
  #check(mac: Buffer, received: Buffer, number: Buffer): void {
    if (!timingSafeEqual(mac, received)) throw changed('its checksum is wrong')
    if (!number.equals(this.#inNumber)) {
      const [has, next] = [readInt32(number, 0), readInt32(this.#inNumber, 0)]
      throw changed(`it has the number ${has}, and ${next} is next`)
    }
    countUp(this.#inNumber)
  }
}

function changed(how: string): SaslFailure {
  return new SaslFailure(`an encrypted message was changed on its way: ${how}`)
}

function cipherOf(key: Buffer): string {
  return `aes-${key.length * 8}-ctr`
}

function macOf(key: Buffer, number: Buffer, message: Buffer): Buffer {
  return createHmac('md5', key).update(number).update(message).digest().subarray(0, MAC_BYTES)
}

function* macInSteps(key: Buffer, number: Buffer, message: Buffer): Steps<Buffer> {
  const hmac = createHmac('md5', key).update(number)
  yield* digestInSteps(hmac, message)
  return hmac.digest().subarray(0, MAC_BYTES)
}

function countUp(number: Buffer): void {
  writeInt32(number, 0, readInt32(number, 0) + 1)
}
