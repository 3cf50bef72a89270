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

/** What `read` returns. A refused property is told with its place: `-D`, or the config file. */
export function tellingPlace<T>(read: () => T, placeOf: (key: string) => string | undefined): T {
  try {
    return read()
  } catch (error) {
    const place = error instanceof UsageError && error.key !== undefined ? placeOf(error.key) : undefined
    if (place === undefined) throw error
    throw new UsageError(`${place}: ${(error as UsageError).message}`)
  }
}
