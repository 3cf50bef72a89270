import { isAdmin } from '../status/administrators.ts'
import type { ConsoleRequest } from './console-request.ts'

/** True where the user may see facts of the whole server: the log, the settings, the folder of backups. */
export async function seesAll({ facts, store, call }: ConsoleRequest): Promise<boolean> {
  const { console, life } = facts
  if (console?.deciding === undefined) return true
  // Where the cluster checks permissions, Tidegate does not know its administrators.
  // The store of `life` has no audit decorator: the check is not a request of the user.
  return console.deciding === 'Tidegate' && (await isAdmin(life.store ?? store, call))
}

/** The answer to a user who may not see a page. `deciding`: the side that checks permissions. */
export function hidden({ facts }: ConsoleRequest): object {
  return { isHidden: true, deciding: facts.console?.deciding }
}
