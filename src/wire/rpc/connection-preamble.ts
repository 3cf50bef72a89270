/**
 * The beginning of a connection, which the client sends before its first request:
 *
 *     preamble := "HBas" | version 0 | authentication
 *     header   := length i32 | ConnectionHeader
 *
 * Of a client with a password its SASL message stands before the header, behind its length; a client with Kerberos and its server exchange several
 * messages there: see sasl-answer.ts. The server answers only to refuse the client: with a response of a negative call id, or by closing.
 */

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { writeInt32 } from '../../model/bytes.ts'
import { type ConnectionHeader, ConnectionHeaderSchema } from './gen/rpc_pb.ts'

const MAGIC = Buffer.from('HBas', 'latin1')
const RPC_VERSION = 0
/** HBase: AuthMethod.SIMPLE. The server believes the user's name. */
const AUTH_SIMPLE = 0x50
/** HBase: AuthMethod.KERBEROS. */
export const AUTH_KERBEROS = 0x51
/** The code of HBase's example provider of passwords: pluggable providers choose their own numbers. */
const AUTH_PASSWORD = 0x52
const PREAMBLE_BYTES = 6
const LENGTH_BYTES = 4

export const KEY_VALUE_CODEC = 'org.apache.hadoop.hbase.codec.KeyValueCodec'
/** The codec that also keeps the tags of cells: see src/model/cell-tags.ts. */
export const KEY_VALUE_CODEC_WITH_TAGS = 'org.apache.hadoop.hbase.codec.KeyValueCodecWithTags'

/** The HBase release of this client: a server may answer older releases differently. */
const VERSION = { major: 2, minor: 6, text: '2.6.1' }

export interface ConnectionIdentity {
  readonly service: string
  readonly user: string
  /** The user that has logged in and acts for `user`; undefined: `user` itself. */
  readonly realUser?: string | undefined
  /** Shown by SASL PLAIN; undefined: the server believes the name. */
  readonly password?: string | undefined
  /** The Java class; undefined: cell blocks as they are. */
  readonly compressorClass?: string | undefined
  /** Cells have their tags. */
  readonly withTags?: boolean | undefined
  /** The encryption to ask for in place of Kerberos's own; undefined: none. */
  readonly cipherTransformation?: string | undefined
}

/** The beginning of a connection without a login, or with a password. */
export function encodeConnectionStart(identity: ConnectionIdentity): Buffer {
  const { user, password } = identity
  const preamble = encodePreamble(password === undefined ? AUTH_SIMPLE : AUTH_PASSWORD)
  const login = password === undefined ? [] : framed(Buffer.from(`\0${user}\0${password}`))
  return Buffer.concat([preamble, ...login, encodeConnectionHeader(identity)])
}

export function encodePreamble(authentication: number): Buffer {
  const preamble = Buffer.alloc(PREAMBLE_BYTES)
  MAGIC.copy(preamble)
  preamble[4] = RPC_VERSION
  preamble[5] = authentication
  return preamble
}

/** The connection header behind its length. */
export function encodeConnectionHeader(identity: ConnectionIdentity): Buffer {
  const header = toBinary(
    ConnectionHeaderSchema,
    create(ConnectionHeaderSchema, {
      userInfo: {
        effectiveUser: identity.user,
        ...(identity.realUser !== undefined && { realUser: identity.realUser }),
      },
      serviceName: identity.service,
      cellBlockCodecClass: identity.withTags === true ? KEY_VALUE_CODEC_WITH_TAGS : KEY_VALUE_CODEC,
      ...(identity.compressorClass !== undefined && { cellBlockCompressorClass: identity.compressorClass }),
      ...(identity.cipherTransformation !== undefined && {
        rpcCryptoCipherTransformation: identity.cipherTransformation,
      }),
      versionInfo: {
        version: VERSION.text,
        versionMajor: VERSION.major,
        versionMinor: VERSION.minor,
        url: '',
        revision: '',
        user: identity.user,
        date: '',
        srcChecksum: '',
      },
    }),
  )
  return Buffer.concat(framed(header))
}

function framed(message: Uint8Array): Uint8Array[] {
  const length = Buffer.alloc(LENGTH_BYTES)
  writeInt32(length, 0, message.length)
  return [length, message]
}

export interface Preamble {
  readonly version: number
  readonly authentication: number
}

/** The first six bytes of a connection; undefined for other bytes. */
export function decodePreamble(bytes: Buffer): Preamble | undefined {
  if (bytes.length < PREAMBLE_BYTES || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) return undefined
  return { version: bytes[4]!, authentication: bytes[5]! }
}

/** The frame behind the preamble. Throws for another message. */
export function decodeConnectionHeader(frame: Buffer): ConnectionHeader {
  // A client that has not logged in yet gets no memory for fields that are not read.
  return fromBinary(ConnectionHeaderSchema, frame, { readUnknownFields: false })
}
