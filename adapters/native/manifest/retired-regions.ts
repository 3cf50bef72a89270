/** Regions that the manifest has taken away: dropped, or given way to others. The log may still have records of them. */

import { eachInSteps, type Steps } from '../../../src/model/steps.ts'
import type { Catalog } from './catalog.ts'
import type { ManifestEdit, RegionRecord, RetiredRegion } from './manifest-edit.ts'

/**
 * The relation of a log's record to the manifest. `unneeded`: store files have its cells, or they were dropped. `lost`: it was answered, and
 * no region has it. `old`: of a region that may have gone before the manifest recorded this.
 */
export type RecordFate = 'unneeded' | 'lost' | 'old'

export class RetiredRegions {
  /** Regions with numbers below it may have gone before the manifest recorded this; undefined: all that the manifest knows. */
  since: number | undefined
  readonly #regions = new Map<number, RetiredRegion>()

  /** The table of a retired region; undefined where the manifest does not know it. */
  tableOf(number: number): string | undefined {
    return this.#regions.get(number)?.table
  }

  /** Undefined where the manifest does not know the region. */
  get(number: number): RetiredRegion | undefined {
    return this.#regions.get(number)
  }

  /** Takes an edit of the manifest before the catalog applies it. No edit may be applied between two steps. */
  *note(edit: ManifestEdit, catalog: Catalog): Steps<void> {
    if (edit.kind === 'retired') {
      this.since = edit.since ?? this.since
      yield* eachInSteps(edit.regions, (region) => this.#add(region))
      return
    }
    const lastSequenceId = lastSequenceIdOf(edit)
    const table = tableOf(edit)
    yield* eachInSteps(yield* retiredRegions(edit, catalog), ({ number, regionId, startKey }) =>
      this.#add({ number, ...(table !== undefined && { table }), lastSequenceId, regionId, startKey }),
    )
  }

  #add(region: RetiredRegion): void {
    const { number, table, lastSequenceId, regionId, startKey } = region
    const known = this.#regions.get(number)
    const owner = table ?? known?.table
    const id = regionId ?? known?.regionId
    const key = startKey ?? known?.startKey
    this.#regions.set(number, {
      number,
      ...(owner !== undefined && { table: owner }),
      lastSequenceId: Math.max(lastSequenceId, known?.lastSequenceId ?? 0),
      ...(id !== undefined && { regionId: id }),
      ...(key !== undefined && { startKey: key }),
    })
  }

  /** The fate of a record of a region that no table has. */
  fateOf(region: number, sequenceId: number, { nextNumber }: Catalog): RecordFate {
    const retired = this.#regions.get(region)
    if (retired !== undefined) return sequenceId <= retired.lastSequenceId ? 'unneeded' : 'lost'
    return region < (this.since ?? nextNumber) ? 'old' : 'lost'
  }

  /** Forgets the regions of which no log has a record. */
  keepOnly(isNeeded: (region: number, lastSequenceId: number) => boolean): void {
    for (const { number, lastSequenceId } of this.#regions.values())
      if (!isNeeded(number, lastSequenceId)) this.#regions.delete(number)
  }

  edit({ nextNumber }: Catalog): ManifestEdit {
    return { kind: 'retired', since: this.since ?? nextNumber, regions: [...this.#regions.values()] }
  }
}

/** The regions that an edit takes away from the catalog, as they are before it. */
export function* retiredRegions(edit: ManifestEdit, catalog: Catalog): Steps<readonly RegionRecord[]> {
  if (edit.kind === 'table-gone') return catalog.tables.get(edit.name)?.regions ?? []
  if (edit.kind === 'table')
    return yield* without(catalog.tables.get(edit.table.name)?.regions ?? [], edit.table.regions)
  if (edit.kind !== 'regions') return []
  const regions = catalog.tables.get(edit.table)?.regions ?? []
  const replaced = new Set(edit.replaced)
  return yield* without(
    regions.filter(({ number }) => replaced.has(number)),
    edit.regions,
  )
}

function* without(
  regions: readonly RegionRecord[],
  later: readonly RegionRecord[],
): Steps<readonly RegionRecord[]> {
  if (regions.length === 0) return regions
  const kept = new Set<number>()
  yield* eachInSteps(later, ({ number }) => kept.add(number))
  const gone: RegionRecord[] = []
  yield* eachInSteps(regions, (region) => {
    if (!kept.has(region.number)) gone.push(region)
  })
  return gone
}

function tableOf(edit: ManifestEdit): string | undefined {
  if (edit.kind === 'table') return edit.table.name
  if (edit.kind === 'table-gone') return edit.name
  return edit.kind === 'regions' ? edit.table : undefined
}

/** Up to which sequence id the log's records of the regions that an edit takes away are not needed. */
function lastSequenceIdOf(edit: ManifestEdit): number {
  if (edit.kind !== 'table' && edit.kind !== 'table-gone' && edit.kind !== 'regions') return 0
  if (edit.lastSequenceId !== undefined) return edit.lastSequenceId
  // Of before this was recorded. A table that goes is disabled, and takes no writes; heirs begin where the last flush has ended.
  if (edit.kind !== 'regions') return Number.MAX_SAFE_INTEGER
  return Math.max(0, ...edit.regions.map(({ flushedSequenceId }) => flushedSequenceId))
}
