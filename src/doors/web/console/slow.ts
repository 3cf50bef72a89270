/** The latest operations of the slow log that the user may see. */

import type { SlowOperation } from '../../../gateway/observing/slow/recent-slow.ts'
import { isAdmin } from '../status/administrators.ts'
import type { ConsoleRequest } from './console-request.ts'

export async function slow(request: ConsoleRequest): Promise<object> {
  const { console } = request.facts
  if (console?.slow === undefined) return {}
  const { limitMs, count } = console.slow
  const all = console.slow.list()
  const { deciding } = console
  // This store has no audit decorator: the check of permissions below is not a request of the user.
  const store = request.facts.life.store ?? request.store
  // Where the cluster checks permissions, Tidegate does not know its administrators.
  if (deciding === undefined || (deciding === 'Tidegate' && (await isAdmin(store, request.call))))
    return { limitMs, count, operations: all.map(shownOperation) }
  // Other users' tables, addresses and counts of operations are hidden.
  const user = request.call.principal?.user
  const own = user === undefined ? [] : all.filter((operation) => operation.user === user)
  return { limitMs, onlyOf: user, operations: own.map(shownOperation) }
}

function shownOperation({ at, operation, table, client, storeMs, figures }: SlowOperation): object {
  return { at, operation, table, client, storeMs, figures }
}
