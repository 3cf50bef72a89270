/** Hadoop's delegation tokens as they travel in addresses and headers of HTTP. Hadoop: Token.encodeToUrlString; YARN: YARNDelegationTokenIdentifier. */

import { HBaseError } from '../../model/errors.ts'
import { WritableReader, writableBytes, writableText } from './writable.ts'
import { numberField, textField, YarnFields } from './yarn-fields.ts'

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

/** YARN: YARNDelegationTokenIdentifierProto. */
export function encodeIdentifier(identifier: TokenIdentifier): Buffer {
  const { owner, renewer, realUser, issuedMs, maxMs, sequence, keyId } = identifier
  return Buffer.concat([
    ...[owner, renewer, realUser].map((text, index) => textField(index + 1, text)),
    ...[issuedMs, maxMs, sequence, keyId].map((value, index) => numberField(index + 4, value)),
  ])
}

/** Reads the identifiers that encodeIdentifier writes. Throws ILLEGAL_ARGUMENT. */
export function decodeIdentifier(bytes: Buffer): TokenIdentifier {
  const fields = new YarnFields(bytes)
  const identifier = {
    owner: fields.text(1),
    renewer: fields.text(2),
    realUser: fields.text(3),
    issuedMs: fields.number(4),
    maxMs: fields.number(5),
    sequence: fields.number(6),
    keyId: fields.number(7),
  }
  if (!fields.isAtEnd) throw new HBaseError('ILLEGAL_ARGUMENT', 'the token is too long')
  return identifier
}
