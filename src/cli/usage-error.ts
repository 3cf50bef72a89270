/** A wrong flag, variable or config file: told in one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
