/** The hashes of DIGEST-MD5 (RFC 2831, 2.1.2), from which both sides make their proofs and the keys of the messages behind the login. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Protection } from './sasl.ts'

/** The RFC's names of protections. */
export const QOP: Readonly<Record<Protection, string>> = {
  authentication: 'auth',
  integrity: 'auth-int',
  privacy: 'auth-conf',
}

/** The only cipher: Node's OpenSSL has neither RC4 nor single DES. */
export const CIPHER = '3des'

/** HBase gives the mechanism no protocol, and the server's name `default`, which is the realm, too. */
export const REALM = 'default'
export const DIGEST_URI = 'null/default'

/** The longest challenge that Java's client takes, and the longest response that its server takes, in bytes. */
export const CHALLENGE_BYTES_MAX = 2048
export const RESPONSE_BYTES_MAX = 4096

/** In the message of a client, and in the hashes: a nonce is used once. */
export const NONCE_COUNT = '00000001'

const NONCE_BYTES = 30
/** In place of the hash of a message's body, which SASL does not have. */
const NO_BODY = ':00000000000000000000000000000000'

export interface SessionFacts {
  readonly username: string
  readonly realm: string
  readonly password: string
  readonly nonce: Buffer
  readonly cnonce: Buffer
  /** As the client sent it; undefined where it sent none. */
  readonly authzid: Buffer | undefined
  readonly qop: string
  readonly digestUri: string
}

/** The hashes of one login, which both sides can compute once the client has answered. */
export class DigestSession {
  /** H(A1): the secret of this login, 16 bytes. */
  readonly secret: Buffer
  readonly #facts: SessionFacts

  constructor(facts: SessionFacts) {
    const { username, realm, password, nonce, cnonce, authzid } = facts
    const names = [username, realm, password].map(latin1OrUtf8)
    const parts = [md5(join(names)), nonce, cnonce, ...(authzid === undefined ? [] : [authzid])]
    this.secret = md5(join(parts))
    this.#facts = facts
  }

  /** The proof that the client sends: 32 hexadecimal digits. */
  get ofClient(): Buffer {
    return this.#proof('AUTHENTICATE')
  }

  /** The proof that the server answers. */
  get ofServer(): Buffer {
    return this.#proof('')
  }

  #proof(method: string): Buffer {
    const { nonce, cnonce, qop, digestUri } = this.#facts
    const body = qop === QOP.authentication ? '' : NO_BODY
    const asked = md5(Buffer.from(`${method}:${digestUri}${body}`))
    const parts = [hex(this.secret), nonce, Buffer.from(NONCE_COUNT), cnonce, Buffer.from(qop), hex(asked)]
    return hex(md5(join(parts)))
  }
}

export function isSameProof(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** 40 characters that no earlier login has had. */
export function newNonce(): Buffer {
  return Buffer.from(randomBytes(NONCE_BYTES).toString('base64'))
}

export function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest()
}

function hex(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('hex'))
}

/** The parts with a colon between them. */
function join(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from(':'), part])))
}

/** RFC 2831: text of ISO 8859-1 is hashed as such, any other as UTF-8. */
function latin1OrUtf8(text: string): Buffer {
  // Compares code units, as Java does: a pair of surrogates is above.
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return Buffer.from(text)
  return Buffer.from(text, 'latin1')
}
