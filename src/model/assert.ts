/**
 * A fact that the code relies on does not hold: a bug of ours, never an answer to a client. Whoever has state to lose
 * stops, as nothing that follows from it can be trusted.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/** For facts that only a bug can make false. No bytes of a client or of a disk may reach it: those have an HBaseError. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}
