/** Hadoop's delegation tokens as they travel in addresses and headers of HTTP. Hadoop: Token.encodeToUrlString, AbstractDelegationTokenIdentifier. */

import { HBaseError } from '../../model/errors.ts'
import { WritableReader, writableBytes, writableNumber, writableText } from './writable.ts'

export interface SignedToken {
  readonly identifier: Buffer
  readonly password: Buffer
  readonly kind: string
  /** The server, which clients set themselves; empty where the server makes the token. */
  readonly service: string
}

export interface TokenIdentifier {
  readonly owner: string
  /** The user who may renew the token; empty: none may. */
  readonly renewer: string
  /** The user who has asked for the token on behalf of `owner`; empty: the owner itself. */
  readonly realUser: string
  /** Milliseconds since 1970. */
  readonly issuedMs: number
  /** Milliseconds since 1970 at which the token ends, however often it is renewed. */
  readonly maxMs: number
  readonly sequence: number
  readonly keyId: number
}

const VERSION = 0
const URL_TEXT = /^[\w-]{1,8192}={0,2}$/

export function encodeToken({ identifier, password, kind, service }: SignedToken): string {
  const parts = [
    writableBytes(identifier),
    writableBytes(password),
    writableText(kind),
    writableText(service),
  ]
  return Buffer.concat(parts).toString('base64url')
}

/** Throws ILLEGAL_ARGUMENT. */
export function decodeToken(text: string): SignedToken {
  if (!URL_TEXT.test(text)) throw new HBaseError('ILLEGAL_ARGUMENT', 'the token is no base64 for addresses')
  const reader = new WritableReader(Buffer.from(text, 'base64url'))
  return {
    identifier: reader.bytes(),
    password: reader.bytes(),
    kind: reader.text(),
    service: reader.text(),
  }
}

export function encodeIdentifier(identifier: TokenIdentifier): Buffer {
  const { owner, renewer, realUser, issuedMs, maxMs, sequence, keyId } = identifier
  return Buffer.concat([
    Buffer.of(VERSION),
    ...[owner, renewer, realUser].map(writableText),
    ...[issuedMs, maxMs, sequence, keyId].map(writableNumber),
  ])
}

/** Throws ILLEGAL_ARGUMENT. */
export function decodeIdentifier(bytes: Buffer): TokenIdentifier {
  const reader = new WritableReader(bytes)
  const version = reader.byte()
  if (version !== VERSION)
    throw new HBaseError('ILLEGAL_ARGUMENT', `Unknown version of delegation token ${version}`)
  const identifier = {
    owner: reader.text(),
    renewer: reader.text(),
    realUser: reader.text(),
    issuedMs: reader.number(),
    maxMs: reader.number(),
    sequence: reader.number(),
    keyId: reader.number(),
  }
  if (!reader.isAtEnd) throw new HBaseError('ILLEGAL_ARGUMENT', 'the token is too long')
  return identifier
}
