/** Access control of operations whose rule depends on their target alone, by the table of operations. HBase: AccessController. */

import { abbreviated } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Interceptor } from '../../../store/interceptors.ts'
import type { AccessRule, MissingRegion } from '../../../store/operations.ts'
import type { AdvertisedCatalog } from '../../catalog/advertised.ts'
import { tableOfRegion } from '../../catalog/region-owner.ts'
import type { Access, AccessChecker } from './access-checker.ts'

type TargetRule = Exclude<AccessRule, 'everyone' | 'coded' | 'itself'>

export function ruledOperations(checker: AccessChecker, catalog: AdvertisedCatalog): Interceptor {
  return ({ access: rule }) => {
    if (rule === 'everyone' || rule === 'coded' || rule === 'itself') return undefined
    return async (call, [target], next) => {
      await check(await checker.accessOf(call!), rule, target, { catalog, call: call! })
      return next(call)
    }
  }
}

interface Asked {
  readonly catalog: AdvertisedCatalog
  readonly call: Call
}

/** Throws where the user may not. `target`: the first argument of the operation. */
async function check(access: Access, rule: TargetRule, target: unknown, asked: Asked): Promise<void> {
  if (rule === 'admin') access.requireGlobal('ADMIN')
  else if ('table' in rule) access.requireTable(target as TableName, rule.table)
  else {
    const regions = (Array.isArray(target) ? target : [target]) as readonly Buffer[]
    for (const region of regions) {
      const table = await ownerOf(region, access, asked, rule.isMissing)
      if (table !== undefined) access.requireTable(table, rule.region)
    }
  }
}

/**
 * The table of a region. Undefined for a user who may do everything: such a user may name missing regions. Throws for other users
 * where the region is missing.
 */
export async function ownerOf(
  region: Buffer,
  access: Access,
  { catalog, call }: Asked,
  isMissing: MissingRegion = 'denied',
): Promise<TableName | undefined> {
  if (access.subject.isSuperuser) return undefined
  const table = await tableOfRegion(catalog, region, call)
  if (table !== undefined) return table
  if (isMissing === 'reported')
    throw new HBaseError('ILLEGAL_ARGUMENT', `Invalid region: ${abbreviated(region)}`)
  access.requireGlobal('ADMIN')
  return undefined
}
