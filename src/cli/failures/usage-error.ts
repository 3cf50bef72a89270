/** A wrong flag, variable or config file: the command prints one line and exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** The key of a wrong property, whose place the message does not name; undefined: the message says everything. */
  readonly key: string | undefined

  constructor(message: string, key?: string) {
    super(message)
    this.key = key
  }
}

/** Returns what `read` returns. An error about a property gets its place in front: `-D`, or the config file. */
export function rethrownWithPlace<T>(read: () => T, placeOf: (key: string) => string | undefined): T {
  try {
    return read()
  } catch (error) {
    const place = error instanceof UsageError && error.key !== undefined ? placeOf(error.key) : undefined
    if (place === undefined) throw error
    throw new UsageError(`${place}: ${(error as UsageError).message}`)
  }
}
