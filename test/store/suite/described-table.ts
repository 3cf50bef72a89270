/** Tables as the cases of the suite describe them, and how they name regions. */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { RegionLocation } from '../../../src/store/catalog.ts'

export function described(
  name: string,
  families: Record<string, Record<string, string>> = { f: {} },
): TableDescriptor {
  return tableDescriptor(
    parseTableName(name),
    Object.entries(families).map(([family, attributes]) =>
      familyDescriptor(family, Object.entries(attributes)),
    ),
  )
}

export function boundsOf(regions: readonly RegionLocation[]): string[] {
  return regions.map(({ startKey, endKey }) => `${startKey.toString('latin1')}..${endKey.toString('latin1')}`)
}
