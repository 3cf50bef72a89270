/** A connection of any dialect, as the listener sees it. */
export interface Peer {
  /** Ends the connection if for `idleMs` no whole call has come and no byte of a reply has gone. Called regularly. */
  expire(nowMs: number, idleMs: number): void
  /** Runs no further call; ends the connection once the running call, if any, is answered. */
  close(): void
}
