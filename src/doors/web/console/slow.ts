/** The last operations of the slow log, as far as their reader may know of them. */

import type { SlowOperation } from '../../../gateway/observing/slow/recent-slow.ts'
import { isAdmin } from '../status/administrators.ts'
import type { ConsoleRequest } from './console-request.ts'

export async function slow(request: ConsoleRequest): Promise<object> {
  const { console } = request.facts
  if (console?.slow === undefined) return {}
  const { limitMs, count } = console.slow
  const all = console.slow.list()
  const { deciding } = console
  // Beside the audit log: nobody has asked for an administrator's right.
  const store = request.facts.life.store ?? request.store
  // Where the cluster decides, Tidegate does not know who administers it.
  if (deciding === undefined || (deciding === 'Tidegate' && (await isAdmin(store, request.call))))
    return { limitMs, count, operations: all.map(told) }
  // Tables and addresses of other people are theirs to know, and how many operations they have had.
  const user = request.call.principal?.user
  const own = user === undefined ? [] : all.filter((operation) => operation.user === user)
  return { limitMs, onlyOf: user, operations: own.map(told) }
}

function told({ at, operation, table, client, storeMs, figures }: SlowOperation): object {
  return { at, operation, table, client, storeMs, figures }
}
