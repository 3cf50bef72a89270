/** Limits reads to readable cells, where single cells have permissions, too. HBase: AccessController.internalPreRead. */

import { maxVersionsOf, type TableDescriptor } from '../../../../model/descriptor.ts'
import type { Filter, ReadableFamily } from '../../../../model/filter.ts'
import { changedRead, type Get, type Scan } from '../../../../model/query.ts'
import type { Access } from '../access-checker.ts'

/** The same reads, from which the store leaves out cells that the user may not read. */
export function readsOfReadableCells<Read extends Get | Scan>(
  reads: readonly Read[],
  { grants, subject }: Access,
  { name: table, families }: TableDescriptor,
): Read[] {
  const readable = families.map((family): ReadableFamily => {
    const { name } = family
    const maxVersions = maxVersionsOf(family)
    return grants.allowsTable(subject, table, 'READ', name)
      ? { name, maxVersions, readable: 'whole' }
      : { name, maxVersions, readable: grants.columns(subject, table, 'READ', name) }
  })
  const own: Filter = { kind: 'AccessControlFilter', families: readable, names: subject.names }
  return reads.map((read) => changedRead(read, { filter: both(own, read.filter) }))
}

function both(own: Filter, asked: Filter | undefined): Filter {
  if (asked === undefined) return own
  return { kind: 'FilterList', operator: 'MUST_PASS_ALL', filters: [own, asked] }
}
