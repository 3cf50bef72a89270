/**
 * Successive increments of a Multi whose changes share a commit of the log: each alone waits for one, which takes as much time as the increment
 * itself. They are begun in the order of the request and none waits for the end of another, so they must not matter to each other.
 */

import type { MutationMessage } from '../messages/read-mutation.ts'
import type { Action } from './action.ts'

/** Most increments that are begun together: what one turn of the event loop has time for. */
const TOGETHER_MAX = 64
/** Most bytes of their cells: those of a row may be of hundreds of columns, each of which is read first. */
const TOGETHER_BYTES_MAX = 8 * 1024

/**
 * The index behind the successive increments from `from` on that may be made together: of different rows, with different nonces, and whose answers fit
 * the bytes that are left for answers. An increment alone has an end of from + 1.
 */
export function endOfIncrements(actions: readonly Action[], from: number, bytesLeft: number): number {
  const rows = new Set<string>()
  const nonces = new Set<bigint>()
  const most = Math.min(actions.length, from + TOGETHER_MAX)
  const bytesMax = Math.min(bytesLeft, TOGETHER_BYTES_MAX)
  let bytes = 0
  let end = from
  for (; end < most; end++) {
    const increment = incrementOf(actions[end]!)
    if (increment === undefined) break
    const { row, nonce, cells } = increment
    // An increment's new cells have the keys of the client's, and values of eight bytes as those.
    bytes += cells.byteLength
    const name = row.toString('latin1')
    if (bytes >= bytesMax || rows.has(name) || nonces.has(nonce)) break
    rows.add(name)
    if (nonce !== 0n) nonces.add(nonce)
  }
  return Math.max(from + 1, end)
}

/** The increment of an action, if it has no tags in its answer. */
function incrementOf(action: Action): MutationMessage | undefined {
  if (action.kind !== 'mutation') return undefined
  const { mutation } = action
  return mutation.kind === 'increment' && !mutation.withTags ? mutation : undefined
}
