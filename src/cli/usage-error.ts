/** A wrong flag, variable or config file: the command prints one line and exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** The key of the property that is wrong, whose place the message does not tell; undefined: the message tells all. */
  readonly key: string | undefined

  constructor(message: string, key?: string) {
    super(message)
    this.key = key
  }
}
