import type { UserPermission } from '../../../../model/permission.ts'
import { CurrentContent, type CurrentContentOptions } from '../../own-tables/current-content.ts'
import { Grants } from './grants.ts'

/** The present permissions. */
export type CurrentGrants = CurrentContent<Grants>

export function currentGrants(
  read: () => Promise<readonly UserPermission[]>,
  options?: CurrentContentOptions,
): CurrentGrants {
  return new CurrentContent(async () => new Grants(await read()), options)
}
