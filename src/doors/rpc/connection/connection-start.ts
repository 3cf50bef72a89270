/** The beginning of a connection, before its first request: a preamble or several, then the connection header. */

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
import { encodePrincipalAnswer, SECURITY_PREAMBLE } from '../../../wire/rpc/security-preamble.ts'
import { type ClientRelease, clientRelease } from '../contract/client-release.ts'
import { ACCESS_DENIED_CLASS, ConnectionRefused } from '../contract/connection-refused.ts'
import type { RpcMethods, RpcServices } from '../contract/rpc-service.ts'

export const PREAMBLE_BYTES = 6
/** The preamble of a client that asks for the cluster's id and nothing else. HBase: RpcClient. */
const REGISTRY_PREAMBLE = Buffer.from('Regist')
const AUTH_SIMPLE = 0x50
/** Kerberos and digest tokens. The server asks such clients to go on without a login. HBase: SaslUtil.SWITCH_TO_SIMPLE_AUTH. */
const AUTH_OTHERS: readonly number[] = [0x51, 0x52]
const SWITCH_TO_SIMPLE = -88
/** Call id of a response to the connection itself. */
const CONNECTION_CALL = 0xffffffff
const IPC_PACKAGE = 'org.apache.hadoop.hbase.ipc.'

/** The first two bytes that a TLS client sends. */
const [TLS_HANDSHAKE, TLS_MAJOR] = [0x16, 0x03]

/** The first bytes that an HTTP client sends. */
const HTTP_METHOD = /^(?:GET |PUT |POST|HEAD|DELE|OPTI|PATC|CONN)/

export type PreambleOutcome =
  /** The connection header follows. */
  | { readonly kind: 'go on'; readonly answer?: Buffer; readonly skipsFrame: boolean }
  /** Messages of SASL follow, then the connection header. */
  | { readonly kind: 'log in'; readonly answer?: undefined; readonly code: number }
  /** Another preamble follows. */
  | { readonly kind: 'again'; readonly answer: Buffer }
  /** The client wants the cluster's id, and nothing else. */
  | { readonly kind: 'registry' }

/** The logins that a preamble may ask for. */
export interface PreambleLogins {
  /** True where clients log in by Kerberos. */
  readonly takesKerberos: boolean
  /** The server's principal, by which clients ask for a ticket. Throws ConnectionRefused where it has several. */
  readonly serverPrincipal: string
  /** True where a client with this code of authentication may begin with SASL. */
  answersSasl(code: number): boolean
}

/**
 * Reads a preamble. `logins`: undefined where clients need not log in. Throws ConnectionRefused for bytes that are no preamble, and for clients
 * that the server does not understand.
 */
export function readPreamble(bytes: Buffer, logins?: PreambleLogins): PreambleOutcome {
  if (bytes.equals(REGISTRY_PREAMBLE)) return { kind: 'registry' }
  if (bytes.equals(SECURITY_PREAMBLE)) return { kind: 'again', answer: securityAnswer(logins) }
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
  // A client's authentication provider chooses its own code: that of HBase's example with passwords is 82.
  if (logins?.answersSasl(authentication) === true) return { kind: 'log in', code: authentication }
  if (!AUTH_OTHERS.includes(authentication)) throw new ConnectionRefused('BadAuthException', found)
  const answer = Buffer.alloc(8)
  answer.writeInt32BE(SWITCH_TO_SIMPLE, 4)
  // The client has sent its first SASL message already: that frame is skipped.
  return { kind: 'go on', answer, skipsFrame: true }
}

/** The state of a connection before its header has come. */
export class Beginning {
  /** True once the preamble has come: the connection header, or a login before it, is next. */
  hasPreamble = false
  /** True where the next frame must be dropped: the first SASL message of a client that goes on without. */
  skipsFrame = false
  #hasAskedHowToLogIn = false

  get hasBegun(): boolean {
    return this.hasPreamble || this.#hasAskedHowToLogIn
  }

  /** Takes a preamble. Throws as readPreamble does, and for a client that asks twice how to log in. */
  take(bytes: Buffer, logins: PreambleLogins | undefined): PreambleOutcome {
    const outcome = readPreamble(bytes, logins)
    if (outcome.kind === 'registry') return outcome
    if (outcome.kind === 'again') {
      if (this.#hasAskedHowToLogIn)
        throw new ConnectionRefused('FatalConnectionException', 'the client asks again how to log in')
      this.#hasAskedHowToLogIn = true
      return outcome
    }
    this.hasPreamble = true
    this.skipsFrame = outcome.kind === 'go on' && outcome.skipsFrame
    return outcome
  }
}

interface StrangeBytes {
  /** The protocol of the bytes: one of a few words, empty where it is unknown. */
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

/** Encodes the answer to a client that asks how to log in. HBase: ServerRpcConnection.doSecurityPreambleResponse. */
function securityAnswer(logins: PreambleLogins | undefined): Buffer {
  if (logins?.takesKerberos !== true) return refusal('SecurityNotEnabledException', 'security is not enabled')
  return encodePrincipalAnswer(logins.serverPrincipal)
}

/** Encodes the answer to a client that asks for the cluster's id. */
export function clusterIdAnswer(clusterId: string): Buffer {
  const schema = GetConnectionRegistryResponseSchema
  const message = toBinary(schema, create(schema, { clusterId }))
  const writer = new MessageWriter()
  writeResponse(writer, CONNECTION_CALL, (to) => to.raw(message))
  return writer.take()
}

/** Encodes the last answer of a connection, after which the server closes it. `javaClass`: with its package, or without for HBase's package ipc. */
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

/** Encodes an error as the last answer of a connection. */
export function refusalOf(error: unknown): Buffer {
  const message = messageOf(error)
  return refusal(error instanceof ConnectionRefused ? error.javaClass : 'FatalConnectionException', message)
}

export interface ClientIdentity {
  readonly service: string
  readonly user: string | undefined
  /** The user who acts for `user`, as the client states it; undefined where it names none. */
  readonly realUser: string | undefined
  readonly takesCellBlocks: boolean
  /** True where the client's codec reads and writes tags of cells. */
  readonly takesTags: boolean
  readonly compressor: CellBlockCompressor | undefined
  /** The encryption that the client asks for behind a login with privacy; empty: none. */
  readonly cipher: string
  /** The forms of answers that the release of the client's software knows. */
  readonly release: ClientRelease
}

/** Codecs that the server has. A client without a codec (an empty name) gets cells within messages. */
const CODECS: readonly string[] = ['', KEY_VALUE_CODEC, KEY_VALUE_CODEC_WITH_TAGS]

/**
 * Reads the connection header. Throws ConnectionRefused for an unknown codec or compressor, and for a name that no user can have. HBase:
 * ServerRpcConnection.setupCellBlockCodecs.
 */
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
    cipher: header.rpcCryptoCipherTransformation,
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

/** Loads the service that the client has named. Throws ConnectionRefused for an unknown service. */
export function loadService(
  services: RpcServices,
  { service }: Pick<ClientIdentity, 'service'>,
): RpcMethods | Promise<RpcMethods> {
  const load = services.get(service)
  if (load === undefined) throw new ConnectionRefused('UnknownServiceException', service)
  return load()
}
