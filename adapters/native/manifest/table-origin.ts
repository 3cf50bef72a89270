/**
 * Where the content of a table begins, for readers of the log: see TableOrigin. It follows from the edits alone, so that each start, and each store that is
 * made of a backup, finds the same.
 */

import type { FlushedRegion, ManifestEdit, RegionRecord, TableOrigin, TableRecord } from './manifest-edit.ts'

type TableEdit = ManifestEdit & { kind: 'table' }
type RegionsEdit = ManifestEdit & { kind: 'regions' }

/** The origin of a table that the edit records. `before`: the table in its place. */
export function originOfTable(
  { table, lastSequenceId, unloggedIn }: TableEdit,
  before: TableRecord | undefined,
): TableOrigin {
  const isKept = unloggedIn === undefined && (before === undefined || sharesRegions(before, table))
  const known = before?.origin ?? table.origin
  if (isKept && known !== undefined) return known
  const since = table.families.reduce((last, family) => Math.max(last, family.sinceSequenceId), 0)
  return {
    mark: table.regions.reduce((last, { number }) => Math.max(last, number), 0),
    since: Math.max(since, lastSequenceId ?? 0),
    ...(unloggedIn !== undefined && { isUnlogged: true }),
  }
}

/** The origin of a table that loaded files have come into; undefined: it stays. */
export function originOfFlush({ files, flushedSequenceId }: FlushedRegion): TableOrigin | undefined {
  const [first] = files
  if (first === undefined) return undefined
  return { mark: first.number, since: flushedSequenceId, isUnlogged: true }
}

/** One region in the place of one other: it was emptied. Undefined: the origin stays. */
export function originOfRegions({ replaced, regions, lastSequenceId }: RegionsEdit): TableOrigin | undefined {
  const [only] = regions
  if (only === undefined || regions.length !== 1 || replaced.length !== 1) return undefined
  return { mark: only.number, since: lastSequenceId ?? 0, isUnlogged: true }
}

function sharesRegions({ regions: before }: TableRecord, { regions }: TableRecord): boolean {
  const numbers = new Set(regions.map(({ number }: RegionRecord) => number))
  return before.some(({ number }) => numbers.has(number))
}
