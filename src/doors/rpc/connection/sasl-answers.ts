/** Answers to messages of SASL, which stand outside of the frames of calls. HBase: ServerRpcConnection.doRawSaslReply. */

import { writeInt32 } from '../../../model/bytes.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { FrameTooLarge } from '../../../wire/rpc/frame-too-large.ts'
import { SaslFailure } from '../../../wire/sasl/sasl.ts'
import { ACCESS_DENIED_CLASS, ConnectionRefused } from '../contract/connection-refused.ts'

/** HBase: SaslStatus. */
const SASL_SUCCESS = 0
const SASL_ERROR = 1
/** The class of HBase's errors of a mechanism. */
const SASL_EXCEPTION = 'javax.security.sasl.SaslException'

/** The answer with a token of the mechanism: the status, then the token behind its int32 length. */
export function saslToken(token: Buffer): Buffer {
  return Buffer.concat([int32(SASL_SUCCESS), int32(token.length), token])
}

/** The answer to a refused message: the status, then the error's class and message, each behind its int32 length. */
export function saslRefusal(error: unknown): Buffer {
  const isMeant = isHBaseError(error) || error instanceof ConnectionRefused || error instanceof FrameTooLarge
  const message = isMeant ? error.message : 'the login failed'
  const texts = [classOf(error), message].map((text) => Buffer.from(text))
  const parts = texts.flatMap((text) => [int32(text.length), text])
  return Buffer.concat([int32(SASL_ERROR), ...parts])
}

function classOf(error: unknown): string {
  if (!(error instanceof SaslFailure)) return ACCESS_DENIED_CLASS
  return error.javaClass === ACCESS_DENIED_CLASS ? SASL_EXCEPTION : error.javaClass
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  writeInt32(bytes, 0, value)
  return bytes
}
