/** The question for the principal of a server, before the preamble of a connection. HBase 2.6 and later: RpcClient.SECURITY_PREAMBLE_HEADER. */

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { readInt32 } from '../../model/bytes.ts'
import { SaslFailure } from '../sasl/sasl.ts'
import { SecurityPreamableResponseSchema } from './gen/rpc_pb.ts'
import { MessageWriter } from './message-writer.ts'
import type { RemoteException } from './remote-exception.ts'
import { ResponseFrame, writeResponse } from './response-frame.ts'
import type { Decoded } from './sasl-answer.ts'

export const SECURITY_PREAMBLE: Buffer = Buffer.from('Securi')

const LENGTH_BYTES = 4
const ANSWER_BYTES_MAX = 1024 * 1024
/** Call id of a response to the connection itself. */
const CONNECTION_CALL = 0xffffffff

/** The server's principal, or the exception that it answers with. */
export type PrincipalAnswer = { readonly principal: string } | { readonly exception: RemoteException }

/** The answer at the beginning of the bytes; undefined while it is incomplete. Throws SaslFailure for a malformed one. */
export function decodePrincipalAnswer(bytes: Buffer): Decoded<PrincipalAnswer> | undefined {
  if (bytes.length < LENGTH_BYTES) return undefined
  const length = readInt32(bytes, 0)
  if (length < 0 || length > ANSWER_BYTES_MAX) throw malformed(`a length of ${length}`)
  const end = LENGTH_BYTES + length
  return end > bytes.length ? undefined : { value: answerIn(bytes, end), bytes: end }
}

function answerIn(bytes: Buffer, end: number): PrincipalAnswer {
  try {
    const { exception, messageStart, messageEnd } = responseIn(bytes, end)
    if (exception !== undefined) return { exception }
    const message = bytes.subarray(messageStart, messageEnd)
    return { principal: fromBinary(SecurityPreamableResponseSchema, message).serverPrincipal }
  } catch (cause) {
    throw malformed('no response', cause)
  }
}

function responseIn(bytes: Buffer, end: number): ResponseFrame {
  const response = new ResponseFrame()
  response.read(bytes, LENGTH_BYTES, end)
  return response
}

function malformed(how: string, cause?: unknown): SaslFailure {
  return new SaslFailure(`the server's answer to the question for its principal is malformed: ${how}`, cause)
}

/** Encodes the answer of a server with logins by Kerberos. */
export function encodePrincipalAnswer(serverPrincipal: string): Buffer {
  const schema = SecurityPreamableResponseSchema
  const message = toBinary(schema, create(schema, { serverPrincipal }))
  const writer = new MessageWriter()
  writeResponse(writer, CONNECTION_CALL, (to) => to.raw(message))
  return writer.take()
}
