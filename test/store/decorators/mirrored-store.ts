import type { Catalog } from '../../../src/store/catalog.ts'
import { withFacets, withMethods } from '../../../src/store/decorate.ts'
import type { Rows } from '../../../src/store/rows.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Compactions, Flushes, RegionUpkeep } from '../../../src/store/upkeep.ts'

/** Reads from the first store; writes to both, and to the second only what the first has taken. */
function mirroredRows(first: Rows, second: Rows): Rows {
  return {
    get: (target, gets, limits, call) => first.get(target, gets, limits, call),
    openScanner: (target, scan, call) => first.openScanner(target, scan, call),
    mutate: async (target, batch, call) => {
      const failures = await first.mutate(target, batch, call)
      await agreed(failures.length === 0, () => second.mutate(target, batch, call))
      return failures
    },
    mutateRow: async (target, mutation, call) => {
      const outcome = await first.mutateRow(target, mutation, call)
      const mirrored = await second.mutateRow(target, mutation, call)
      if (mirrored.applied !== outcome.applied)
        throw new Error('the mirror has another row than the first store')
      return outcome
    },
    mutateRows: async (target, mutation, call) => {
      const applied = await first.mutateRows(target, mutation, call)
      if (applied !== (await second.mutateRows(target, mutation, call)))
        throw new Error('the mirror has other rows than the first store')
      return applied
    },
  }
}

/** Checks a batch of which the first store refused a part: the second must refuse the same part. */
async function agreed(isWhole: boolean, mutate: () => ReturnType<Rows['mutate']>): Promise<void> {
  const failures = await mutate()
  if (isWhole !== (failures.length === 0)) throw new Error('the mirror took another part of a batch')
}

const CHANGES = [
  'createNamespace',
  'modifyNamespace',
  'deleteNamespace',
  'createTable',
  'modifyTable',
  'deleteTable',
  'truncateTable',
  'enableTable',
  'disableTable',
] as const

/** The catalog's changes, with their arguments handed on unchanged. */
function changesOf(catalog: Catalog): Record<(typeof CHANGES)[number], (...args: never[]) => Promise<void>> {
  return catalog
}

/** Namespaces and tables are changed in both stores, the second following the first. */
function mirroredCatalog(first: Catalog, second: Catalog): Catalog {
  const changes = CHANGES.map((name) => {
    const change = async (...args: never[]): Promise<void> => {
      await changesOf(first)[name](...args)
      await changesOf(second)[name](...args)
    }
    return [name, change] as const
  })
  return withMethods(first, Object.fromEntries(changes) as Partial<Catalog>)
}

function mirroredCompactions(first: Compactions, second: Compactions): Compactions {
  return {
    compactTable: async (table, compaction, call) => {
      await first.compactTable(table, compaction, call)
      await second.compactTable(table, compaction, call)
    },
    compactRegion: async (region, compaction, call) => {
      await first.compactRegion(region, compaction, call)
      await second.compactRegion(region, compaction, call)
    },
    compactionState: (table, call) => first.compactionState(table, call),
  }
}

/** Flushes and compactions drop cells: both stores must drop the same. */
function mirroredFlushes(first: Flushes, second: Flushes): Flushes {
  return {
    flushTable: async (table, call) => {
      await first.flushTable(table, call)
      await second.flushTable(table, call)
    },
    flushRegion: async (region, family, call) => {
      const flushed = await first.flushRegion(region, family, call)
      await second.flushRegion(region, family, call)
      return flushed
    },
  }
}

function mirroredRegions(first: RegionUpkeep, second: RegionUpkeep): RegionUpkeep {
  const names = [
    'splitTable',
    'splitRegion',
    'mergeRegions',
    'moveRegion',
    'assignRegion',
    'unassignRegion',
    'truncateRegion',
  ]
  type Changes = Record<string, (...args: unknown[]) => Promise<void>>
  const [ofFirst, ofSecond] = [first, second] as unknown as [Changes, Changes]
  const changes = names.map((name) => {
    const change = async (...args: unknown[]): Promise<void> => {
      await ofFirst[name]!(...args)
      await ofSecond[name]!(...args)
    }
    return [name, change] as const
  })
  return withMethods(first, Object.fromEntries(changes) as Partial<RegionUpkeep>)
}

/** `first`; every write to it also goes to `second`. */
export function mirroredStore(first: Store, second: Store): Store {
  return {
    ...withFacets(first, {
      rows: mirroredRows(first.rows, second.rows),
      catalog: mirroredCatalog(first.catalog, second.catalog),
    }),
    upkeep: {
      ...first.upkeep,
      flushes: mirroredFlushes(first.upkeep.flushes!, second.upkeep.flushes!),
      compactions: mirroredCompactions(first.upkeep.compactions!, second.upkeep.compactions!),
      regions: mirroredRegions(first.upkeep.regions!, second.upkeep.regions!),
    },
    close: async () => {
      await first.close()
      await second.close()
    },
  }
}
