/**
 * Two ways to state how a table changes: its new descriptor, or an alteration of the present one, which keeps other clients' changes of the
 * rest. Both are data. A store with tables of its own alters a table in the table's turn, with no other change between.
 */

import { type FamilyDescriptor, findFamily, type TableDescriptor, withFamilies } from '../model/descriptor.ts'
import { HBaseError } from '../model/errors.ts'
import { trackerStep } from '../model/file-trackers.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from './call.ts'
import type { Catalog } from './catalog.ts'

export type Alteration =
  /** INVALID_FAMILY_OPERATION where the table has the family. */
  | { readonly kind: 'addFamily'; readonly family: FamilyDescriptor }
  /** INVALID_FAMILY_OPERATION where the table lacks the family. */
  | { readonly kind: 'modifyFamily'; readonly family: FamilyDescriptor }
  /** INVALID_FAMILY_OPERATION where the table lacks the family or has no other. */
  | { readonly kind: 'deleteFamily'; readonly family: Buffer }
  /**
   * Adds families, and changes those that are there. One that is there may be changed twice, as the last one says; one that is not there
   * is INVALID_FAMILY_OPERATION the second time. HBase: SchemaResource.update, which has then added the first.
   */
  | { readonly kind: 'putFamilies'; readonly families: readonly FamilyDescriptor[] }
  /** The next step to a file tracker, of a family or of the table; none where it is there. Refused as trackerStep throws. */
  | { readonly kind: 'stepToTracker'; readonly family: Buffer | undefined; readonly tracker: string }

export interface TableAlteration {
  readonly name: TableName
  readonly alteration: Alteration
}

export type TableChange = TableDescriptor | TableAlteration

/** Throws the alteration's refusal. */
export function changedDescriptor(change: TableChange, present: TableDescriptor): TableDescriptor {
  return 'alteration' in change ? altered(present, change.alteration) : change
}

/**
 * The new descriptor, for a store whose servers take whole descriptors: as with HBase's own clients, another client's change between
 * this read and the servers' change is lost. Throws TABLE_NOT_FOUND and the alteration's refusal.
 */
export async function descriptorToSend(
  catalog: Pick<Catalog, 'table'>,
  change: TableChange,
  call: Call,
): Promise<TableDescriptor> {
  return 'alteration' in change ? altered(await catalog.table(change.name, call), change.alteration) : change
}

function altered(table: TableDescriptor, alteration: Alteration): TableDescriptor {
  switch (alteration.kind) {
    case 'addFamily':
      return withNewFamily(table, alteration.family)
    case 'modifyFamily':
      requireFamily(table, alteration.family.name, 'modified')
      return withFamilies(table, [...table.families, alteration.family])
    case 'deleteFamily':
      return withoutFamily(table, alteration.family)
    case 'putFamilies':
      requireNoneAddedTwice(alteration.families, table)
      return withFamilies(table, [...table.families, ...alteration.families])
    case 'stepToTracker':
      return trackerStep(table, alteration.family, alteration.tracker) ?? table
  }
}

function withNewFamily(table: TableDescriptor, family: FamilyDescriptor): TableDescriptor {
  if (findFamily(table, family.name) !== undefined) throw alreadyThere(table, family)
  return withFamilies(table, [...table.families, family])
}

function withoutFamily(table: TableDescriptor, family: Buffer): TableDescriptor {
  requireFamily(table, family, 'deleted')
  const families = table.families.filter((each) => !each.name.equals(family))
  if (families.length > 0) return withFamilies(table, families)
  throw new HBaseError(
    'INVALID_FAMILY_OPERATION',
    `Family '${family.toString()}' is the only column family in the table, so it cannot be deleted`,
  )
}

function requireFamily(table: TableDescriptor, family: Buffer, verb: string): void {
  if (findFamily(table, family) !== undefined) return
  throw new HBaseError(
    'INVALID_FAMILY_OPERATION',
    `Family '${family.toString()}' does not exist, so it cannot be ${verb}`,
  )
}

function requireNoneAddedTwice(families: readonly FamilyDescriptor[], table: TableDescriptor): void {
  const added = new Set<string>()
  for (const family of families) {
    if (findFamily(table, family.name) !== undefined) continue
    const name = family.name.toString('latin1')
    if (added.has(name)) throw alreadyThere(table, family)
    added.add(name)
  }
}

function alreadyThere(table: TableDescriptor, family: FamilyDescriptor): HBaseError {
  return new HBaseError(
    'INVALID_FAMILY_OPERATION',
    `Column family '${family.name.toString()}' in table '${table.name}' already exists so cannot be added`,
  )
}
