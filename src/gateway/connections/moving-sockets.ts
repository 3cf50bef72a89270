import { Socket } from 'node:net'

/** The versions that move connections to other threads, for people: 24.20 and 26.7 are the first that were tried and do. */
export const MOVING_VERSIONS = 'Node 24.20 or a newer 24, or 26.7 or newer'

/** Node's mark of classes whose objects move to other threads, in all versions that have such. Node does not document it. */
const TRANSFERABLE = 'messaging_transfer_symbol'

/** True where this Node moves connections to other threads. Its version alone does not say so: 24.20 does, and 26.5 does not. */
export function movesConnections(): boolean {
  return Object.getOwnPropertySymbols(Socket.prototype).some(
    ({ description }) => description === TRANSFERABLE,
  )
}
