/** A connection, whatever it speaks, as the listener knows it. */
export interface Peer {
  /** Gives up where no call has come whole, and nothing of a reply has gone, for so long. Called from time to time. */
  expire(nowMs: number, idleMs: number): void
  /** Runs no further call; ends the connection once the one under way, if any, is answered. */
  close(): void
}
