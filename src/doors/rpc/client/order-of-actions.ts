import type { Action } from './read-multi.ts'
import { isPlain } from './row-mutations.ts'

/**
 * The actions of a region in the order in which HBase carries them out: gets, calls of endpoints, increments and appends when their turn comes,
 * puts and deletes together before the next increment or append, or at the end. A get behind a put of its row does not see it.
 * HBase: RSRpcServices.doNonAtomicRegionMutation.
 */
export function inOrder(actions: readonly Action[]): readonly Action[] {
  const ordered: Action[] = []
  let collected: Action[] = []
  let isChanged = false
  for (const action of actions) {
    const isMutation = action.kind === 'mutation'
    if (isMutation && isPlain(action.mutation)) {
      collected.push(action)
      continue
    }
    if (isMutation) {
      for (const plain of collected) ordered.push(plain)
      collected = []
    } else isChanged ||= collected.length > 0
    ordered.push(action)
  }
  if (!isChanged) return actions
  for (const plain of collected) ordered.push(plain)
  return ordered
}
