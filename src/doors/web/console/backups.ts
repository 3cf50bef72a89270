import type { ConsoleRequest } from './console-request.ts'
import { hidden, seesAll } from './sees-all.ts'

/** The backups in the folder of the archived log. */
export async function backups(request: ConsoleRequest): Promise<object> {
  const { facts, store } = request
  if (!(await seesAll(request))) return hidden(request)
  const read = facts.console?.backups
  // A store without this part has no files of its own: a cluster, or memory.
  if (read === undefined) return { isThere: store.upkeep.backups !== undefined }
  return { isThere: true, ...(await read()) }
}
