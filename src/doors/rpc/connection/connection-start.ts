/** The beginning of a connection, before its first request: preambles, then the connection header. */

import { create, toBinary } from '@bufbuild/protobuf'
import { checkPrincipalName } from '../../../gateway/identity/guard/principal-name.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import { messageOf } from '../../../model/message-of.ts'
import { isProxyProtocol, PROXY_PROTOCOL } from '../../../wire/proxy-protocol.ts'
import type { CellBlockCompressor } from '../../../wire/rpc/cell-block-compressor.ts'
import { cellBlockCompressor } from '../../../wire/rpc/cell-block-compressor.ts'
import {
  decodeConnectionHeader,
  decodePreamble,
  KEY_VALUE_CODEC,
  KEY_VALUE_CODEC_WITH_TAGS,
} from '../../../wire/rpc/connection-preamble.ts'
import { GetConnectionRegistryResponseSchema } from '../../../wire/rpc/gen/registry_pb.ts'
import { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import { RemoteException } from '../../../wire/rpc/remote-exception.ts'
import { writeExceptionResponse, writeResponse } from '../../../wire/rpc/response-frame.ts'
import { type ClientRelease, clientRelease } from '../contract/client-release.ts'
import type { RpcMethods, RpcServices } from '../contract/rpc-service.ts'

export const ACCESS_DENIED_CLASS = 'org.apache.hadoop.hbase.security.AccessDeniedException'
export const PREAMBLE_BYTES = 6
/** Sent instead of the usual preamble by clients that ask for the cluster's id alone. HBase: RpcClient. */
const REGISTRY_PREAMBLE = Buffer.from('Regist')
/** Sent before it by clients that ask how to log in. */
const SECURITY_PREAMBLE = Buffer.from('Securi')
const AUTH_SIMPLE = 0x50
/** Kerberos and digest tokens: such clients are told to go on without. HBase: SaslUtil.SWITCH_TO_SIMPLE_AUTH. */
const AUTH_OTHERS: readonly number[] = [0x51, 0x52]
const SWITCH_TO_SIMPLE = -88
/** A response to the connection itself. */
const CONNECTION_CALL = 0xffffffff
const IPC_PACKAGE = 'org.apache.hadoop.hbase.ipc.'

/** The first two bytes of a client of TLS. */
const [TLS_HANDSHAKE, TLS_MAJOR] = [0x16, 0x03]

/** The first bytes of clients of HTTP. */
const HTTP_METHOD = /^(?:GET |PUT |POST|HEAD|DELE|OPTI|PATC|CONN)/

export type PreambleOutcome =
  /** The connection header follows. */
  | { readonly kind: 'go on'; readonly answer?: Buffer; readonly skipsFrame: boolean }
  /** A message of SASL follows, then the connection header. */
  | { readonly kind: 'log in'; readonly answer?: undefined }
  /** Another preamble follows. */
  | { readonly kind: 'again'; readonly answer: Buffer }
  /** The client wants the cluster's id, and nothing else. */
  | { readonly kind: 'registry' }

/** `mayLogIn`: clients may show who they are. Throws ConnectionRefused for bytes of no client, and of clients that the server does not understand. */
export function readPreamble(bytes: Buffer, mayLogIn = false): PreambleOutcome {
  if (bytes.equals(REGISTRY_PREAMBLE)) return { kind: 'registry' }
  if (bytes.equals(SECURITY_PREAMBLE)) {
    return { kind: 'again', answer: refusal('SecurityNotEnabledException', 'security is not enabled') }
  }
  const preamble = decodePreamble(bytes)
  if (preamble === undefined) {
    const { kind, received } = strangeBytes(bytes)
    const message = `Expected HEADER=HBas but received ${received}`
    throw new ConnectionRefused('FatalConnectionException', message, kind)
  }
  const { version, authentication } = preamble
  const found = `serverVersion=0, clientVersion=${version}, authMethod=${authentication}`
  if (version !== 0) throw new ConnectionRefused('WrongVersionException', found)
  if (authentication === AUTH_SIMPLE) return { kind: 'go on', skipsFrame: false }
  // A provider of a client chooses its own code, and the mechanism with it: HBase's example of passwords has 82.
  if (mayLogIn) return { kind: 'log in' }
  if (!AUTH_OTHERS.includes(authentication)) throw new ConnectionRefused('BadAuthException', found)
  const answer = Buffer.alloc(8)
  answer.writeInt32BE(SWITCH_TO_SIMPLE, 4)
  // The client's first SASL message is under way.
  return { kind: 'go on', answer, skipsFrame: true }
}

/** How far a connection has begun. */
export class Beginning {
  /** The connection header, or what stands before it, is next. */
  hasPreamble = false
  /** A client that wanted to log in has sent a first message of that kind. */
  skipsFrame = false
  /** A message of SASL is to come next. */
  wantsSasl = false
  #hasAskedHowToLogIn = false

  get hasBegun(): boolean {
    return this.hasPreamble || this.#hasAskedHowToLogIn
  }

  /** Takes a preamble. Throws as readPreamble does, and for a client that asks twice how to log in. */
  take(bytes: Buffer, mayLogIn: boolean | undefined): PreambleOutcome {
    const outcome = readPreamble(bytes, mayLogIn)
    if (outcome.kind === 'registry') return outcome
    if (outcome.kind === 'again') {
      if (this.#hasAskedHowToLogIn)
        throw new ConnectionRefused('FatalConnectionException', 'the client asks again how to log in')
      this.#hasAskedHowToLogIn = true
      return outcome
    }
    this.hasPreamble = true
    this.wantsSasl = outcome.kind === 'log in'
    this.skipsFrame = outcome.kind === 'go on' && outcome.skipsFrame
    return outcome
  }
}

interface StrangeBytes {
  /** One of a few words. */
  readonly kind: string
  readonly received: string
}

function strangeBytes(bytes: Buffer): StrangeBytes {
  if (bytes[0] === TLS_HANDSHAKE && bytes[1] === TLS_MAJOR)
    return { kind: 'TLS', received: 'TLS, which this port does not speak' }
  if (isProxyProtocol(bytes)) return { kind: 'PROXY', received: PROXY_PROTOCOL }
  const magic = bytes.toString('latin1', 0, 4)
  return { kind: HTTP_METHOD.test(magic) ? 'HTTP' : '', received: `HEADER=${JSON.stringify(magic)}` }
}

/** The answer to a client that wants the cluster's id. */
export function clusterIdAnswer(clusterId: string): Buffer {
  const schema = GetConnectionRegistryResponseSchema
  const message = toBinary(schema, create(schema, { clusterId }))
  const writer = new MessageWriter()
  writeResponse(writer, CONNECTION_CALL, (to) => to.raw(message))
  return writer.take()
}

/** An answer to the connection, after which it is closed. `javaClass`: in full, or of HBase's package ipc. */
export function refusal(javaClass: string, message: string): Buffer {
  const writer = new MessageWriter()
  const name = javaClass.includes('.') ? javaClass : IPC_PACKAGE + javaClass
  const exception = new RemoteException({
    javaClass: name,
    stackTrace: `${name}: ${message}`,
    doNotRetry: true,
  })
  writeExceptionResponse(writer, CONNECTION_CALL, exception)
  return writer.take()
}

/** The same for an error. */
export function refusalOf(error: unknown): Buffer {
  const message = messageOf(error)
  return refusal(error instanceof ConnectionRefused ? error.javaClass : 'FatalConnectionException', message)
}

export interface ClientIdentity {
  readonly service: string
  readonly user: string | undefined
  /** Who acts for the user, as the client states it. */
  readonly realUser: string | undefined
  readonly takesCellBlocks: boolean
  /** Its codec is one that reads and writes tags of cells. */
  readonly takesTags: boolean
  readonly compressor: CellBlockCompressor | undefined
  /** Of the client's software. */
  readonly release: ClientRelease
}

export class ConnectionRefused extends Error {
  /** With the kind of client, where that is known: clients of different kinds are different incidents of the log. */
  override readonly name: string
  /** In full, or of HBase's package ipc. */
  readonly javaClass: string

  constructor(javaClass: string, message: string, kind = '') {
    super(message)
    this.name = `ConnectionRefused ${kind}`.trimEnd()
    this.javaClass = javaClass
  }
}

/** A client that names none gets cells within messages. */
const CODECS: readonly string[] = ['', KEY_VALUE_CODEC, KEY_VALUE_CODEC_WITH_TAGS]

/** Throws ConnectionRefused for a codec or a compressor that is not there, and a name that no user can have. HBase: ServerRpcConnection.setupCellBlockCodecs. */
export function readIdentity(frame: Buffer): ClientIdentity {
  const header = decodeConnectionHeader(frame)
  const { cellBlockCodecClass: codec, cellBlockCompressorClass: compressorClass } = header
  if (!CODECS.includes(codec)) {
    throw new ConnectionRefused('UnsupportedCellCodecException', `Class ${codec} not found`)
  }
  const compressor = compressorClass === '' ? undefined : cellBlockCompressor(compressorClass)
  if (compressorClass !== '' && compressor === undefined) {
    throw new ConnectionRefused('UnsupportedCompressionCodecException', `Class ${compressorClass} not found`)
  }
  const { effectiveUser: user = '', realUser = '' } = header.userInfo ?? {}
  for (const name of [user, realUser]) if (name !== '') checkName(name)
  return {
    service: header.serviceName,
    user: user === '' ? undefined : user,
    realUser: realUser === '' ? undefined : realUser,
    takesCellBlocks: codec !== '',
    takesTags: codec === KEY_VALUE_CODEC_WITH_TAGS,
    compressor,
    release: clientRelease(header.versionInfo),
  }
}

function checkName(name: string): void {
  try {
    checkPrincipalName(name)
  } catch (error) {
    throw new ConnectionRefused(ACCESS_DENIED_CLASS, reasonOf(error))
  }
}

/** Throws ConnectionRefused for a service that there is not. */
export function loadService(
  services: RpcServices,
  { service }: Pick<ClientIdentity, 'service'>,
): RpcMethods | Promise<RpcMethods> {
  const load = services.get(service)
  if (load === undefined) throw new ConnectionRefused('UnknownServiceException', service)
  return load()
}
