import type { Catalog } from './catalog.ts'
import type { ManifestEdit, RegionRecord } from './manifest-edit.ts'

/** The regions that an edit takes away from the catalog, as they are before it: dropped, or given way to others. */
export function retiredRegions(edit: ManifestEdit, catalog: Catalog): readonly RegionRecord[] {
  if (edit.kind === 'table-gone') return catalog.tables.get(edit.name)?.regions ?? []
  if (edit.kind === 'table')
    return without(catalog.tables.get(edit.table.name)?.regions ?? [], edit.table.regions)
  if (edit.kind !== 'regions') return []
  const regions = catalog.tables.get(edit.table)?.regions ?? []
  return without(
    regions.filter(({ number }) => edit.replaced.includes(number)),
    edit.regions,
  )
}

function without(regions: readonly RegionRecord[], later: readonly RegionRecord[]): readonly RegionRecord[] {
  const kept = new Set(later.map(({ number }) => number))
  return regions.filter(({ number }) => !kept.has(number))
}
