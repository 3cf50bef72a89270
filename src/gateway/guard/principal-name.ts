const NAME_BYTES_MAX = 255

/** Whether a name that a token or a certificate states can be a user's: `@` begins a group, and logs have a line a name. */
export function isPrincipalName(name: string): boolean {
  return /^[^\p{Cc}@][^\p{Cc}]*$/u.test(name) && Buffer.byteLength(name) <= NAME_BYTES_MAX
}
