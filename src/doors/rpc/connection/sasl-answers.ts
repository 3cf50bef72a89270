/** Answers to messages of SASL, which stand outside of the frames of calls. HBase: ServerRpcConnection.doRawSaslReply. */

import { isHBaseError } from '../../../model/errors.ts'
import { FrameTooLarge } from '../../../wire/rpc/frame-too-large.ts'
import { encodeSaslAnswer } from '../../../wire/rpc/sasl-answer.ts'
import { SaslFailure } from '../../../wire/sasl/sasl.ts'
import { ACCESS_DENIED_CLASS, ConnectionRefused } from '../contract/connection-refused.ts'

/** The class of HBase's errors of a mechanism. */
const SASL_EXCEPTION = 'javax.security.sasl.SaslException'

/** The answer to a refused message. */
export function saslRefusal(error: unknown): Buffer {
  const isMeant = isHBaseError(error) || error instanceof ConnectionRefused || error instanceof FrameTooLarge
  const message = isMeant ? error.message : 'the login failed'
  return encodeSaslAnswer({ kind: 'refused', javaClass: classOf(error), message })
}

function classOf(error: unknown): string {
  if (!(error instanceof SaslFailure)) return ACCESS_DENIED_CLASS
  return error.javaClass === ACCESS_DENIED_CLASS ? SASL_EXCEPTION : error.javaClass
}
