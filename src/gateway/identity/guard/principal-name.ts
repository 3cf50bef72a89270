import { HBaseError } from '../../../model/errors.ts'

const NAME_BYTES_MAX = 255

/**
 * Whether a user can have the name. The rule holds for all names: of tokens, of certificates, of users acted for, and those that clients
 * state themselves. `@` begins a group, logs write a name in one line, and the server keeps names in memory.
 */
export function isPrincipalName(name: string): boolean {
  return /^[^\p{Cc}@][^\p{Cc}]*$/u.test(name) && Buffer.byteLength(name) <= NAME_BYTES_MAX
}

/** Throws ILLEGAL_ARGUMENT for a name that no user can have. The message does not contain the name. */
export function checkPrincipalName(name: string): void {
  if (isPrincipalName(name)) return
  throw new HBaseError(
    'ILLEGAL_ARGUMENT',
    `no user can have this name of ${Buffer.byteLength(name)} bytes: it has 1 to ${NAME_BYTES_MAX}, no control characters, and no @ at its begin`,
  )
}
