/**
 * A fact that the code relies on does not hold: a bug in Tidegate, never an answer to a client. A store with state to
 * lose stops, as it can no longer trust that state.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** Checks a fact that only a bug can make false. Check bytes from clients and disks otherwise: they get an HBaseError. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}
