import { isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'

/** True where the caller has the global permission ADMIN, or the store checks no permissions. */
export async function isAdmin({ upkeep }: Pick<Store, 'upkeep'>, call: Call): Promise<boolean> {
  try {
    await upkeep.permissions?.requireAdmin(call)
    return true
  } catch (error) {
    if (isHBaseError(error) && error.code === 'ACCESS_DENIED') return false
    throw error
  }
}
