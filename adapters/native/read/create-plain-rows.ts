import type { Scan } from '../../../src/model/query.ts'
import { MergedPlainRows } from './merged-plain-rows.ts'
import { type PlainReader, PlainRows } from './plain-rows.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** Undefined if no run is read. */
export function createPlainRows({ essential }: ScannedFamilies, scan: Scan): PlainReader | undefined {
  const [family] = essential
  if (family === undefined) return undefined
  const iterator = family.cells.onlyIterator
  return iterator === undefined ? new MergedPlainRows(family, scan) : new PlainRows(family, scan)
}
