import type { Action } from './read-multi.ts'
import { isPlain } from './row-mutations.ts'

/**
 * The actions of a region in the order in which HBase carries them out: gets, calls of endpoints, increments and appends when their turn comes,
 * puts and deletes together before the next increment or append, or at the end. A get behind a put of its row does not see it.
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

/** Whether an action runs before puts or deletes in front of it. Most requests have actions of one kind, and need no other list. */
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
