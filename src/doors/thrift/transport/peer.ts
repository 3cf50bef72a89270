import type { Deadlines } from '../../../gateway/connections/peer-clock.ts'

/** A connection of any dialect, as the listener sees it. */
export interface Peer {
  /** Ends the connection if its client is late. Called regularly. */
  expire(nowMs: number, deadlines: Deadlines): void
  /** Runs no further call; ends the connection once the running call, if any, is answered. */
  close(): void
}
