/** Messages of Thrift's TSaslClientTransport. */

import type { Preface } from './load-connection.ts'

/** Thrift: TSaslTransport.NegotiationStatus. */
export const SaslStatus = { start: 1, ok: 2, complete: 5 } as const

export function saslMessage(status: number, text: string): Buffer {
  const head = Buffer.alloc(5)
  head[0] = status
  head.writeInt32BE(Buffer.byteLength(text), 1)
  return Buffer.concat([head, Buffer.from(text)])
}

/**
 * A login by SASL PLAIN, which the server answers by a message without text. What follows are messages behind their length: the bytes of
 * framed calls.
 */
export function saslPreface(user: string, password: string): Preface {
  const login = saslMessage(SaslStatus.ok, `\0${user}\0${password}`)
  return { bytes: Buffer.concat([saslMessage(SaslStatus.start, 'PLAIN'), login]), answerBytes: 5 }
}
