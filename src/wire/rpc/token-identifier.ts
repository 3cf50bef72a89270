/** The identifier of a delegation token: its protobuf behind its int32 length. HBase: AuthenticationTokenIdentifier. */

import { create, fromBinary, isFieldSet, toBinary } from '@bufbuild/protobuf'
import { TokenIdentifier_Kind, TokenIdentifierSchema } from './gen/authentication_pb.ts'

export interface TokenIdentity {
  readonly user: string
  readonly keyId: number
  /** Milliseconds since 1970. */
  readonly issuedMs: number
  readonly expiresMs: number
  readonly sequence: number
}

const LENGTH_BYTES = 4
const { username: USERNAME, keyId: KEY_ID, kind: KIND } = TokenIdentifierSchema.field

export function encodeTokenIdentity({ user, keyId, issuedMs, expiresMs, sequence }: TokenIdentity): Buffer {
  const message = toBinary(
    TokenIdentifierSchema,
    create(TokenIdentifierSchema, {
      kind: TokenIdentifier_Kind.HBASE_AUTH_TOKEN,
      username: Buffer.from(user),
      keyId,
      issueDate: BigInt(issuedMs),
      expirationDate: BigInt(expiresMs),
      sequenceNumber: BigInt(sequence),
    }),
  )
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeInt32BE(message.length)
  return Buffer.concat([length, message])
}

/** Undefined for bytes that are no identifier, or that have more behind it. */
export function decodeTokenIdentity(bytes: Buffer): TokenIdentity | undefined {
  if (bytes.length < LENGTH_BYTES || bytes.readInt32BE() !== bytes.length - LENGTH_BYTES) return undefined
  try {
    const message = fromBinary(TokenIdentifierSchema, bytes.subarray(LENGTH_BYTES))
    const isWhole = [KIND, USERNAME, KEY_ID].every((field) => isFieldSet(message, field))
    if (!isWhole || message.kind !== TokenIdentifier_Kind.HBASE_AUTH_TOKEN) return undefined
    return {
      user: Buffer.from(message.username).toString(),
      keyId: message.keyId,
      issuedMs: Number(message.issueDate),
      expiresMs: Number(message.expirationDate),
      sequence: Number(message.sequenceNumber),
    }
  } catch {
    return undefined
  }
}
