/**
 * The login by Kerberos at the beginning of a connection, up to the connection header:
 *
 *     client: preamble HBas 0 81, then tokens and the server's answers in turns, until the client has logged in; then the header
 *
 * Where both sides agree on integrity or privacy, the header is the first protected message. HBase: NettyRpcConnection.saslNegotiate,
 * NettyHBaseSaslRpcClientHandler, NettyHBaseRpcConnectionHeaderHandler.
 */

import { EMPTY, readInt32 } from '../../../src/model/bytes.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import {
  AUTH_KERBEROS,
  type ConnectionIdentity,
  encodeConnectionHeader,
  encodePreamble,
} from '../../../src/wire/rpc/connection-preamble.ts'
import {
  AES_TRANSFORMATION,
  CryptoAesLayer,
  decodeConnectionHeaderResponse,
} from '../../../src/wire/rpc/crypto-aes.ts'
import { type Decoded, decodeSaslAnswer, encodeSaslToken } from '../../../src/wire/rpc/sasl-answer.ts'
import { wrapInPieces } from '../../../src/wire/rpc/wrapped-frames.ts'
import { type SaslExchange, SaslFailure, type SaslLayer, type SaslStep } from '../../../src/wire/sasl/sasl.ts'
import type { ConnectionKerberos } from './rpc-connection.ts'
import { RpcError } from './rpc-error.ts'
import { serverPrincipal } from './server-principal.ts'
import type { StartTalk } from './start-talk.ts'

export interface LoggedIn {
  /** The connection closes it at its end. Undefined: the server takes no logins, and the connection went on without. */
  readonly exchange: SaslExchange | undefined
  /** Protects all further bytes; undefined: they go as they are. */
  readonly layer: SaslLayer | undefined
}

/** More messages than any login takes. */
const STEPS_MAX = 20
const LENGTH_BYTES = 4
const ANSWER_BYTES_MAX = 64 * 1024

/** Logs in and sends the connection header. Rejects with RpcError. */
export async function logIn(
  kerberos: ConnectionKerberos,
  identity: ConnectionIdentity,
  talk: StartTalk,
): Promise<LoggedIn> {
  const principal = await serverPrincipal(kerberos, talk)
  const exchange = kerberos.login.saslClient(principal, kerberos.protections)
  try {
    talk.send(encodePreamble(AUTH_KERBEROS))
    const isLoggedIn = await exchangeTokens(exchange, principal, talk)
    if (isLoggedIn) return { exchange, layer: await sendHeader(exchange, kerberos, identity, talk) }
  } catch (error) {
    exchange.close()
    throw error instanceof SaslFailure ? failedLogin(principal, error) : error
  }
  exchange.close()
  if (!kerberos.mayFallBack) throw refusedFallBack()
  talk.send(encodeConnectionHeader(identity))
  return { exchange: undefined, layer: undefined }
}

/** Resolves to false where the server takes no logins. */
async function exchangeTokens(exchange: SaslExchange, principal: string, talk: StartTalk): Promise<boolean> {
  let received: Buffer = EMPTY
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const { token, isDone } = await stepOf(exchange, received, principal, talk)
    if (token !== undefined) talk.send(encodeSaslToken(token))
    if (isDone) return true
    talk.expect('answer of the server to the Kerberos login')
    const answer = await talk.reader.next(decodeSaslAnswer)
    if (answer.kind === 'simple') return false
    if (answer.kind === 'refused') throw refusedLogin(principal, answer)
    received = answer.token
  }
  throw new SaslFailure(`it has not ended after ${STEPS_MAX} messages`)
}

async function stepOf(
  exchange: SaslExchange,
  received: Buffer,
  principal: string,
  talk: StartTalk,
): Promise<SaslStep> {
  talk.expect(`ticket for ${principal}`)
  const step = exchange.step(received)
  try {
    return await Promise.race([step, talk.reader.failed])
  } catch (error) {
    throw error instanceof RpcError ? error : failedLogin(principal, error)
  }
}

/** Sends the connection header, and agrees on AES where that is asked for. */
async function sendHeader(
  { layer }: SaslExchange,
  { asksForAes }: ConnectionKerberos,
  identity: ConnectionIdentity,
  talk: StartTalk,
): Promise<SaslLayer | undefined> {
  if (layer === undefined) {
    talk.send(encodeConnectionHeader(identity))
    return undefined
  }
  const isAsking = asksForAes === true && layer.protection === 'privacy'
  const header = encodeConnectionHeader({
    ...identity,
    ...(isAsking && { cipherTransformation: AES_TRANSFORMATION }),
  })
  for (const { length, token } of wrapInPieces(layer, header)) talk.send(Buffer.concat([length, token]))
  if (!isAsking) return layer
  talk.expect(
    'keys for AES from the server (hbase.rpc.crypto.encryption.aes.enabled must be true on the servers too, or be left out here)',
  )
  const answer = layer.unwrap(await talk.reader.next(decodeWrapped))
  const keys = decodeConnectionHeaderResponse(withoutLength(answer))
  return keys === undefined ? layer : new CryptoAesLayer(keys)
}

function decodeWrapped(bytes: Buffer): Decoded<Buffer> | undefined {
  if (bytes.length < LENGTH_BYTES) return undefined
  const length = readInt32(bytes, 0)
  if (length < 0 || length > ANSWER_BYTES_MAX)
    throw new SaslFailure(`the server's answer to the connection header has a length of ${length}`)
  const end = LENGTH_BYTES + length
  return end > bytes.length
    ? undefined
    : { value: Buffer.from(bytes.subarray(LENGTH_BYTES, end)), bytes: end }
}

function withoutLength(message: Buffer): Buffer {
  if (message.length < LENGTH_BYTES || readInt32(message, 0) !== message.length - LENGTH_BYTES)
    throw new SaslFailure("the server's answer to the connection header is malformed")
  return message.subarray(LENGTH_BYTES)
}

/** The words of Kerberos's libraries for a principal that the KDC does not know and for clocks that differ, and of this client where no protection suits both sides. */
const UNTIL_CHANGED =
  /server\b.*(?:not found in kerberos database|unknown)|clock skew|look at hbase\.rpc\.protection/is
/** Words of a server's refusal: its clock differs, or its keytab has not the key of the ticket. Another ticket fails as well. */
const REFUSED_UNTIL_CHANGED =
  /clock skew|not found in keytab|key ?table|decrypt integrity|checksum failed|no suitable key|wrong principal/i
/** Java's words for each reason, which the server's log has alone. */
const WITHOUT_REASON = /^(?:GSS initiate failed)?$/

function failedLogin(principal: string, cause: unknown): RpcError {
  const why = messageOf(cause)
  const code = UNTIL_CHANGED.test(why) ? 'LOGIN_REFUSED' : 'LOGIN_FAILED'
  return new RpcError(code, `the Kerberos login to ${principal} failed: ${why}`, { cause })
}

function refusedLogin(
  principal: string,
  { javaClass, message }: { readonly javaClass: string; readonly message: string },
): RpcError {
  const advice = WITHOUT_REASON.test(message)
    ? '. Its log has the reason: the server may have another principal or a newer key, or its clock may differ by minutes'
    : ''
  return new RpcError(
    REFUSED_UNTIL_CHANGED.test(message) ? 'LOGIN_REFUSED' : 'LOGIN_FAILED',
    `the server refuses the Kerberos login to ${principal}: ${javaClass}: ${message}${advice}`,
  )
}

function refusedFallBack(): RpcError {
  return new RpcError(
    'LOGIN_REFUSED',
    'the server takes no Kerberos logins, and Tidegate does not go on without one: hbase.ipc.client.fallback-to-simple-auth-allowed=true allows it',
  )
}
