/** Changes of one column family of a table, with the refusals of HBase's master. HBase: HMaster.addColumn and its kin. */

import { type FamilyDescriptor, findFamily, type TableDescriptor, withFamilies } from '../model/descriptor.ts'
import { HBaseError } from '../model/errors.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Catalog } from '../store/catalog.ts'

type ChangedCatalog = Pick<Catalog, 'table' | 'modifyTable'>

/** Throws TABLE_NOT_FOUND, INVALID_FAMILY_OPERATION where the table has the family. */
export async function addFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: FamilyDescriptor,
  call: Call,
): Promise<void> {
  const table = await catalog.table(name, call)
  if (findFamily(table, family.name) !== undefined) {
    throw new HBaseError(
      'INVALID_FAMILY_OPERATION',
      `Column family '${family.name.toString()}' in table '${table.name}' already exists so cannot be added`,
    )
  }
  await catalog.modifyTable(withFamilies(table, [...table.families, family]), call)
}

/** Throws TABLE_NOT_FOUND, INVALID_FAMILY_OPERATION where the table lacks the family. */
export async function modifyFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: FamilyDescriptor,
  call: Call,
): Promise<void> {
  const table = await tableWithFamily(catalog, name, family.name, 'modified', call)
  await catalog.modifyTable(withFamilies(table, [...table.families, family]), call)
}

/** Throws TABLE_NOT_FOUND, INVALID_FAMILY_OPERATION where the table lacks the family or has no other. */
export async function deleteFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: Buffer,
  call: Call,
): Promise<void> {
  const table = await tableWithFamily(catalog, name, family, 'deleted', call)
  const families = table.families.filter((each) => !each.name.equals(family))
  if (families.length === 0) {
    throw new HBaseError(
      'INVALID_FAMILY_OPERATION',
      `Family '${family.toString()}' is the only column family in the table, so it cannot be deleted`,
    )
  }
  await catalog.modifyTable(withFamilies(table, families), call)
}

async function tableWithFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: Buffer,
  verb: string,
  call: Call,
): Promise<TableDescriptor> {
  const table = await catalog.table(name, call)
  if (findFamily(table, family) === undefined) {
    throw new HBaseError(
      'INVALID_FAMILY_OPERATION',
      `Family '${family.toString()}' does not exist, so it cannot be ${verb}`,
    )
  }
  return table
}
