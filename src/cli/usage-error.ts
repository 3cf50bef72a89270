/** A wrong flag, variable or config file: the command prints one line and exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
