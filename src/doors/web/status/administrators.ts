import { isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'

/** Whether the caller has the permission ADMIN of everything; everybody has it where nobody has permissions. */
export async function isAdmin({ upkeep }: Pick<Store, 'upkeep'>, call: Call): Promise<boolean> {
  try {
    await upkeep.permissions?.requireAdmin(call)
    return true
  } catch (error) {
    if (isHBaseError(error) && error.code === 'ACCESS_DENIED') return false
    throw error
  }
}
