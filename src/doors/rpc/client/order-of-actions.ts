import type { Action } from './action.ts'
import { isPlain } from './row-mutations.ts'

/**
 * The actions of a region in the order in which HBase carries them out. Gets, calls of endpoints, increments and appends run in the order of the
 * request. Puts and deletes are collected, and run together before the next increment or append, or at the end. A get after a put of
 * its row therefore does not see that put.
 * HBase: RSRpcServices.doNonAtomicRegionMutation.
 */
export function inOrder(actions: readonly Action[]): readonly Action[] {
  if (!hasOtherOrder(actions)) return actions
  const ordered: Action[] = []
  let collected: Action[] = []
  for (const action of actions) {
    if (isPlainMutation(action)) {
      collected.push(action)
      continue
    }
    if (action.kind === 'mutation') {
      for (const plain of collected) ordered.push(plain)
      collected = []
    }
    ordered.push(action)
  }
  for (const plain of collected) ordered.push(plain)
  return ordered
}

/** True where an action runs before a put or delete that precedes it. Most requests have actions of one kind: they need no new list. */
function hasOtherOrder(actions: readonly Action[]): boolean {
  let areCollected = false
  for (const action of actions) {
    if (isPlainMutation(action)) areCollected = true
    else if (action.kind === 'mutation') areCollected = false
    else if (areCollected) return true
  }
  return false
}

function isPlainMutation(action: Action): boolean {
  return action.kind === 'mutation' && isPlain(action.mutation)
}
