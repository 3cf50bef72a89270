/** The calls of GSSAPI that protect messages with a finished context. They never wait for a KDC. */

import { KerberosError } from '../kerberos.ts'
import type { GssLibrary } from './gss-library.ts'
import { emptyBuffer, readUint32 } from './gss-memory.ts'

const DEFAULT_QUALITY = 0

/** The protected form of a message. `message`: a gss_buffer_desc. Throws KerberosError. */
export function wrapMessage(
  gss: GssLibrary,
  context: bigint,
  message: Buffer,
  isEncrypted: boolean,
): Buffer<ArrayBuffer> {
  const { functions, minor } = gss
  const [done, out] = [Buffer.alloc(4), emptyBuffer()]
  const wanted = isEncrypted ? 1 : 0
  gss.check(
    functions.gss_wrap(minor, context, wanted, DEFAULT_QUALITY, message, done, out),
    'a message cannot be protected',
  )
  const token = gss.take(out)
  if (isEncrypted && readUint32(done) === 0) throw new KerberosError('the login allows no encryption')
  return token
}

/**
 * The message of a protected form. `token`: a gss_buffer_desc. Throws KerberosError, also for a message that was replayed or put in another order, and for one
 * that is not encrypted but should be.
 */
export function unwrapMessage(
  gss: GssLibrary,
  context: bigint,
  token: Buffer,
  isEncrypted: boolean,
): Buffer<ArrayBuffer> {
  const { functions, minor } = gss
  const [done, out] = [Buffer.alloc(4), emptyBuffer()]
  const major = functions.gss_unwrap(minor, context, token, out, done, null)
  gss.check(major, 'a protected message is refused')
  const message = gss.take(out)
  // A supplementary bit: an old, doubled or missing message.
  if (major !== 0) throw new KerberosError('a protected message is refused: it is a replay or out of order')
  if (isEncrypted && readUint32(done) === 0)
    throw new KerberosError('a protected message is refused: it is not encrypted')
  return message
}

/** The most bytes of a message whose protected form has at most `bytes`. Throws KerberosError. */
export function messageRoom(gss: GssLibrary, context: bigint, bytes: number, isEncrypted: boolean): number {
  const room = Buffer.alloc(4)
  const wanted = isEncrypted ? 1 : 0
  gss.check(
    gss.functions.gss_wrap_size_limit(gss.minor, context, wanted, DEFAULT_QUALITY, bytes, room),
    'the room of protected messages is unknown',
  )
  return readUint32(room)
}
