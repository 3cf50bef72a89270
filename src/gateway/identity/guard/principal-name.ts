import { HBaseError } from '../../../model/errors.ts'

const NAME_BYTES_MAX = 255

/**
 * Whether a name can be a user's, by whatever way it comes: a token, a certificate, another who acts for him, or a client's own word. `@`
 * begins a group, logs have a line a name, and names are remembered.
 */
export function isPrincipalName(name: string): boolean {
  return /^[^\p{Cc}@][^\p{Cc}]*$/u.test(name) && Buffer.byteLength(name) <= NAME_BYTES_MAX
}

/** Throws ILLEGAL_ARGUMENT for a name that no user can have. The message does not repeat it. */
export function checkPrincipalName(name: string): void {
  if (isPrincipalName(name)) return
  throw new HBaseError(
    'ILLEGAL_ARGUMENT',
    `no user can have this name of ${Buffer.byteLength(name)} bytes: it has 1 to ${NAME_BYTES_MAX}, no control characters, and no @ at its begin`,
  )
}
