import type { ConsoleRequest } from './console-request.ts'
import { hidden, seesAll } from './sees-all.ts'

/** All settings, with their values and where these come from. */
export async function settings(request: ConsoleRequest): Promise<object> {
  if (!(await seesAll(request))) return hidden(request)
  return { settings: request.facts.console?.settings ?? [] }
}
