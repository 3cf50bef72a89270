/**
 * Whether permissions of a table's cells give nothing to somebody who has none of the table and its columns. HBase:
 * AccessControlConstants.CF_ATTRIBUTE_EARLY_OUT, a setting of the server which a table may have among its attributes.
 */

import type { TableDescriptor } from '../../../../model/descriptor.ts'
import { isSystemTable } from '../../../../model/table-name.ts'

export const EARLY_OUT_KEY = 'hbase.security.access.early_out'

/** `otherwise`: where the table does not say. hbase:acl and its like are never opened by their cells. */
export function endsEarly({ name, attributes }: TableDescriptor, otherwise: boolean): boolean {
  if (isSystemTable(name)) return true
  const stated = attributes.get(EARLY_OUT_KEY)?.trim().toLowerCase()
  return stated === 'true' || (stated !== 'false' && otherwise)
}
