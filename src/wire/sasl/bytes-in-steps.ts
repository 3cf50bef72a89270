/** Checksums and ciphers of large messages, in steps of a fraction of a millisecond up to a few, for 3DES. */

import type { Cipher, Decipher, Hmac } from 'node:crypto'
import type { Steps } from '../../model/steps.ts'

const STEP_BYTES = 32 * 1024

/** Adds the bytes to a checksum. */
export function* digestInSteps(hmac: Hmac, bytes: Buffer): Steps<void> {
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    hmac.update(bytes.subarray(at, at + STEP_BYTES))
    yield
  }
}

/** Writes the other form of the bytes to `to`. The cipher must give as many bytes as it gets. */
export function* cipherInSteps(cipher: Cipher | Decipher, bytes: Buffer, to: Buffer): Steps<void> {
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    to.set(cipher.update(bytes.subarray(at, at + STEP_BYTES)), at)
    yield
  }
}
