/** The upkeep facet: its parts, put together. */

import type { Upkeep } from '../../../src/store/upkeep.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { CatalogChanges } from '../engine/catalog-changes.ts'
import type { EngineCalls } from '../engine/engine-calls.ts'
import type { CatalogLog } from '../manifest/catalog-log.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { RegionFlusher } from '../region/region-flusher.ts'
import type { NativeSnapshots, NativeSnapshotsParts } from '../snapshot/native-snapshots.ts'
import type { RegionSplits } from '../split/region-splits.ts'
import type { TableMap } from '../tables/table-map.ts'
import { NativeBulkLoads } from './native-bulk-loads.ts'
import { NativeCompactions } from './native-compactions.ts'
import { NativeFiles } from './native-files.ts'
import { NativeFlushes } from './native-flushes.ts'
import { NativeLoads } from './native-loads.ts'
import { NativeRegions } from './native-regions.ts'
import { NativeSizes } from './native-sizes.ts'
import { NativeSwitches } from './native-switches.ts'

export interface NativeUpkeepParts extends NativeSnapshotsParts {
  readonly calls: EngineCalls
  readonly changes: CatalogChanges
  readonly tables: TableMap
  readonly catalogLog: CatalogLog
  readonly flusher: RegionFlusher
  readonly compactor: Compactor
  readonly splits: RegionSplits
  readonly snapshots: NativeSnapshots
  readonly fileSystem: FileSystem
}

export function nativeUpkeep(parts: NativeUpkeepParts): Upkeep {
  return {
    flushes: new NativeFlushes(parts),
    compactions: new NativeCompactions(parts),
    regions: new NativeRegions(parts),
    snapshots: parts.snapshots,
    bulkLoads: new NativeBulkLoads(parts),
    switches: new NativeSwitches(parts),
    loads: new NativeLoads(parts),
    files: new NativeFiles(parts),
    sizes: new NativeSizes(parts),
  }
}
