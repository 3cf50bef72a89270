/**
 * Changes of one column family of a table, with the refusals of HBase's master. Each alters the descriptor that the table has in its
 * turn: other families, which other clients add or delete at the same time, stay as those clients want them. HBase: HMaster.addColumn
 * and its kin.
 */

import { type FamilyDescriptor, findFamily, type TableDescriptor, withFamilies } from '../model/descriptor.ts'
import { HBaseError } from '../model/errors.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Catalog } from '../store/catalog.ts'

type ChangedCatalog = Pick<Catalog, 'modifyTable'>

/** Throws TABLE_NOT_FOUND, INVALID_FAMILY_OPERATION where the table has the family. */
export function addFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: FamilyDescriptor,
  call: Call,
): Promise<void> {
  const alter = (table: TableDescriptor): TableDescriptor => {
    if (findFamily(table, family.name) === undefined) return withFamilies(table, [...table.families, family])
    throw new HBaseError(
      'INVALID_FAMILY_OPERATION',
      `Column family '${family.name.toString()}' in table '${table.name}' already exists so cannot be added`,
    )
  }
  return catalog.modifyTable({ name, alter }, call)
}

/** Throws TABLE_NOT_FOUND, INVALID_FAMILY_OPERATION where the table lacks the family. */
export function modifyFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: FamilyDescriptor,
  call: Call,
): Promise<void> {
  const alter = (table: TableDescriptor): TableDescriptor => {
    requireFamily(table, family.name, 'modified')
    return withFamilies(table, [...table.families, family])
  }
  return catalog.modifyTable({ name, alter }, call)
}

/** Throws TABLE_NOT_FOUND, INVALID_FAMILY_OPERATION where the table lacks the family or has no other. */
export function deleteFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: Buffer,
  call: Call,
): Promise<void> {
  const alter = (table: TableDescriptor): TableDescriptor => {
    requireFamily(table, family, 'deleted')
    const families = table.families.filter((each) => !each.name.equals(family))
    if (families.length > 0) return withFamilies(table, families)
    throw new HBaseError(
      'INVALID_FAMILY_OPERATION',
      `Family '${family.toString()}' is the only column family in the table, so it cannot be deleted`,
    )
  }
  return catalog.modifyTable({ name, alter }, call)
}

function requireFamily(table: TableDescriptor, family: Buffer, verb: string): void {
  if (findFamily(table, family) !== undefined) return
  throw new HBaseError(
    'INVALID_FAMILY_OPERATION',
    `Family '${family.toString()}' does not exist, so it cannot be ${verb}`,
  )
}
