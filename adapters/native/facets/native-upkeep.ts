/** The upkeep facet: its parts, put together. */

import type { Upkeep } from '../../../src/store/upkeep.ts'
import type { NativeBackups } from '../backup/native-backups.ts'
import { NativeLogStreams } from '../backup/native-log-streams.ts'
import { NativeChanges } from '../changes/native-changes.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { Engine } from '../engine/engine.ts'
import type { NativeSnapshots } from '../snapshot/native-snapshots.ts'
import type { RegionSplits } from '../split/region-splits.ts'
import type { RequestRate } from '../upkeep/request-rate.ts'
import { NativeBulkLoads } from './native-bulk-loads.ts'
import { NativeCompactions } from './native-compactions.ts'
import { NativeFiles } from './native-files.ts'
import { NativeFlushes } from './native-flushes.ts'
import { NativeLoads } from './native-loads.ts'
import { NativeRegions } from './native-regions.ts'
import { NativeSizes } from './native-sizes.ts'
import { NativeSwitches } from './native-switches.ts'

export interface UpkeepWorkers {
  readonly compactor: Compactor
  readonly splits: RegionSplits
  readonly snapshots: NativeSnapshots
  readonly backups: NativeBackups
  readonly requests: RequestRate
}

export function nativeUpkeep(
  engine: Engine,
  { compactor, splits, snapshots, backups, requests }: UpkeepWorkers,
): Upkeep {
  return {
    flushes: new NativeFlushes(engine, compactor),
    compactions: new NativeCompactions(engine, compactor),
    regions: new NativeRegions(engine, splits),
    snapshots,
    bulkLoads: new NativeBulkLoads(engine, compactor, splits),
    switches: new NativeSwitches(engine),
    loads: new NativeLoads(engine, compactor, requests),
    files: new NativeFiles(engine),
    sizes: new NativeSizes(engine),
    backups,
    logStreams: new NativeLogStreams(engine),
    changes: new NativeChanges(engine),
    identity: {
      adoptClusterId: (id, call) =>
        engine.calls.change(call, () => engine.catalogLog.commit({ kind: 'cluster', id })),
    },
  }
}
