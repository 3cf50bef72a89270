import { isHBaseError } from '../../model/errors.ts'
import { ACTIONS } from '../../model/permission.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'

/**
 * Whether a server may have tables that its list does not show to the user: it has permissions, and he has none of everything.
 * REST and Thrift have no such answer: true there for a user who logs in.
 */
export async function mayHideTables({ upkeep }: Pick<Store, 'upkeep'>, logsIn: boolean): Promise<boolean> {
  const { permissions } = upkeep
  if (permissions === undefined) return logsIn
  try {
    if (!(await permissions.areEnforced(OWN_CALL))) return false
    const ofEverything = ACTIONS.map((action) => ({ scope: { kind: 'global' } as const, actions: [action] }))
    return !(await permissions.hasPermissions(undefined, ofEverything, OWN_CALL)).includes(true)
  } catch (error) {
    // Masters of before HBase 2.2 know no such questions.
    if (isHBaseError(error)) return logsIn
    throw error
  }
}
