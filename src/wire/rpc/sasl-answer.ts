/**
 * The messages of a login by SASL, between the preamble of a connection and its header:
 *
 *     message of the client := length i32 | token
 *     answer of the server  := status 0 i32 | length i32 | token
 *                            | status 0 i32 | -88 i32
 *                            | status 1 i32 | class text | message text      text := length i32 | UTF-8
 *
 * HBase: NettyHBaseSaslRpcClientHandler, SaslChallengeDecoder, ServerRpcConnection.doRawSaslReply.
 */

import { readInt32, writeInt32 } from '../../model/bytes.ts'
import { SaslFailure } from '../sasl/sasl.ts'
import { ResponseFrame } from './response-frame.ts'

/** HBase: SaslStatus. */
const SUCCESS = 0
const ERROR = 1
/** HBase: SaslUtil.SWITCH_TO_SIMPLE_AUTH. */
const SWITCH_TO_SIMPLE = -88
const INT_BYTES = 4
/** Longest token and longest text. HBase: SaslChallengeDecoder.MAX_CHALLENGE_SIZE. */
const TOKEN_BYTES_MAX = 1024 * 1024

export type SaslAnswer =
  | { readonly kind: 'token'; readonly token: Buffer }
  /** The server has no logins, and takes the client's word for its name. */
  | { readonly kind: 'simple' }
  | { readonly kind: 'refused'; readonly javaClass: string; readonly message: string }

export interface Decoded<T> {
  readonly value: T
  /** The length of the decoded bytes. */
  readonly bytes: number
}

/** The answer at the beginning of the bytes; undefined while it is incomplete. Throws SaslFailure for a malformed one. */
export function decodeSaslAnswer(bytes: Buffer): Decoded<SaslAnswer> | undefined {
  if (bytes.length < 2 * INT_BYTES) return undefined
  const status = readInt32(bytes, 0)
  if (status === SUCCESS) return decodeToken(bytes)
  if (status === ERROR) return decodeRefusal(bytes)
  return decodeResponse(bytes, status)
}

function decodeToken(bytes: Buffer): Decoded<SaslAnswer> | undefined {
  const length = readInt32(bytes, INT_BYTES)
  const start = 2 * INT_BYTES
  if (length === SWITCH_TO_SIMPLE) return { value: { kind: 'simple' }, bytes: start }
  const end = start + checked(length)
  if (end > bytes.length) return undefined
  return { value: { kind: 'token', token: Buffer.from(bytes.subarray(start, end)) }, bytes: end }
}

function decodeRefusal(bytes: Buffer): Decoded<SaslAnswer> | undefined {
  const javaClass = decodeText(bytes, INT_BYTES)
  const message = javaClass && decodeText(bytes, javaClass.bytes)
  if (message === undefined) return undefined
  return {
    value: { kind: 'refused', javaClass: javaClass!.value, message: message.value },
    bytes: message.bytes,
  }
}

/** A text; `bytes` is the offset behind it. Java's null has the length -1. */
function decodeText(bytes: Buffer, at: number): Decoded<string> | undefined {
  const start = at + INT_BYTES
  if (start > bytes.length) return undefined
  const length = readInt32(bytes, at)
  if (length === -1) return { value: '', bytes: start }
  const end = start + checked(length)
  return end > bytes.length ? undefined : { value: bytes.toString('utf8', start, end), bytes: end }
}

/** A server that does not take the preamble answers by a response, whose length stands where the status would. */
function decodeResponse(bytes: Buffer, length: number): Decoded<SaslAnswer> | undefined {
  const end = INT_BYTES + checked(length)
  if (end > bytes.length) return undefined
  const { exception } = readResponse(bytes, end)
  if (exception === undefined) throw malformed('no exception')
  const { javaClass, message } = exception
  return { value: { kind: 'refused', javaClass, message }, bytes: end }
}

function readResponse(bytes: Buffer, end: number): ResponseFrame {
  const response = new ResponseFrame()
  try {
    response.read(bytes, INT_BYTES, end)
  } catch (cause) {
    throw malformed('neither SASL nor a response', cause)
  }
  return response
}

function checked(length: number): number {
  if (length >= 0 && length <= TOKEN_BYTES_MAX) return length
  throw malformed(`a length of ${length}`)
}

function malformed(how: string, cause?: unknown): SaslFailure {
  return new SaslFailure(`the server's answer to the login is malformed: ${how}`, cause)
}

/** Encodes a client's token. */
export function encodeSaslToken(token: Buffer): Buffer {
  return Buffer.concat([int32(token.length), token])
}

/** Encodes a server's answer. */
export function encodeSaslAnswer(answer: SaslAnswer): Buffer {
  if (answer.kind === 'simple') return Buffer.concat([int32(SUCCESS), int32(SWITCH_TO_SIMPLE)])
  if (answer.kind === 'token') return Buffer.concat([int32(SUCCESS), encodeSaslToken(answer.token)])
  const texts = [answer.javaClass, answer.message].map((text) => encodeSaslToken(Buffer.from(text)))
  return Buffer.concat([int32(ERROR), ...texts])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(INT_BYTES)
  writeInt32(bytes, 0, value)
  return bytes
}
