/**
 * Decides whether permissions of single cells have no effect for users without any permission of the table or its columns. HBase:
 * AccessControlConstants.CF_ATTRIBUTE_EARLY_OUT, a setting of the server that a table's attributes may override.
 */

import type { TableDescriptor } from '../../../../model/descriptor.ts'
import { isSystemTable } from '../../../../model/table-name.ts'

export const EARLY_OUT_KEY = 'hbase.security.access.early_out'

/** The setting of this server. */
export const EARLY_OUT = true

/** `otherwise`: the setting of the server. Permissions of cells never have an effect in system tables. */
export function endsEarly({ name, attributes }: TableDescriptor, otherwise: boolean): boolean {
  if (isSystemTable(name)) return true
  const stated = attributes.get(EARLY_OUT_KEY)?.trim().toLowerCase()
  return stated === 'true' || (stated !== 'false' && otherwise)
}
