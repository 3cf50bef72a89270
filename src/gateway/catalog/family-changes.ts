/**
 * Changes of one column family of a table, with the refusals of HBase's master. Each change applies to the table's newest descriptor, so
 * that families which other clients add or delete at the same time are kept. HBase: HMaster.addColumn, modifyColumn, deleteColumn.
 */

import type { FamilyDescriptor } from '../../model/descriptor.ts'
import type { TableName } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import type { Catalog } from '../../store/catalog.ts'

type ChangedCatalog = Pick<Catalog, 'modifyTable'>

/** Throws TABLE_NOT_FOUND, INVALID_FAMILY_OPERATION where the table has the family. */
export function addFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: FamilyDescriptor,
  call: Call,
): Promise<void> {
  return catalog.modifyTable({ name, alteration: { kind: 'addFamily', family } }, call)
}

/** Throws TABLE_NOT_FOUND, INVALID_FAMILY_OPERATION where the table lacks the family. */
export function modifyFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: FamilyDescriptor,
  call: Call,
): Promise<void> {
  return catalog.modifyTable({ name, alteration: { kind: 'modifyFamily', family } }, call)
}

/** Throws TABLE_NOT_FOUND, INVALID_FAMILY_OPERATION where the table lacks the family or has no other. */
export function deleteFamily(
  catalog: ChangedCatalog,
  name: TableName,
  family: Buffer,
  call: Call,
): Promise<void> {
  return catalog.modifyTable({ name, alteration: { kind: 'deleteFamily', family } }, call)
}
