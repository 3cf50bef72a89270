/** SASL's mechanism PLAIN (RFC 4616): one message, `AUTHZID NUL AUTHCID NUL PASSWD`. */

import { isUtf8 } from 'node:buffer'
import { Refused } from './login-errors.ts'

export const PLAIN = 'PLAIN'

export interface PlainCredentials {
  /** The user for whom the client wants to act; empty: for itself. */
  readonly actingAs: string
  readonly name: string
  readonly password: string
}

/** Reads the message. Throws Refused where it is malformed. */
export function readPlain(message: Buffer): PlainCredentials {
  const parts = isUtf8(message) ? message.toString('utf8').split('\0') : []
  const [actingAs, name, password] = parts
  if (parts.length !== 3 || !name || password === undefined || actingAs === undefined)
    throw new Refused('the message is not that of PLAIN: two NUL bytes part user and password')
  return { actingAs, name, password }
}
