/** The engine's metrics, as docs/metrics.md lists them: the engine keeps the figures, and a caller's request reads them. */

import { counter, gauge, type Metric, type Sample } from '../../src/model/metric.ts'
import type { StoreRun } from './cells/store-run.ts'
import type { Compactor } from './compact/compactor.ts'
import type { Engine } from './engine/engine.ts'
import type { UpkeepWorkers } from './facets/native-upkeep.ts'
import { cacheMetrics, openFileMetrics } from './hfile/file-metrics.ts'
import { HFile } from './hfile/hfile.ts'
import type { HeldSnapshots } from './region/held-snapshots.ts'
import type { Region } from './region/region.ts'
import { tableMetrics } from './table-metrics.ts'
import type { Hold } from './wal/log-keeping.ts'

export function engineMetrics(
  engine: Engine,
  { compactor, splits, backups }: Pick<UpkeepWorkers, 'compactor' | 'splits' | 'backups'>,
): Metric[] {
  const { limits, flusher, wal, blockCache } = engine
  const { regions } = engine.tables
  return [
    ...compactionMetrics(compactor),
    ...engine.runner.figures.metrics(),
    stageTimes(engine),
    ...engine.storeFiles.damage.metrics(),
    ...engine.recovery.metrics(),
    gauge('tidegate_native_regions', 'Regions that are open', () => regions.size),
    counter(
      'tidegate_native_region_splits_total',
      'Splits of regions, those that clients asked for too',
      () => splits.splits,
    ),
    counter('tidegate_native_region_merges_total', 'Merges of regions', () => splits.merges),
    gauge(
      'tidegate_native_memstore_bytes',
      'Memory of all memstores, of those too that are being flushed',
      () => limits.bytes,
    ),
    gauge('tidegate_native_memstore_data_bytes', 'Bytes of the cells in all memstores', () =>
      sumOf(regions, (region) => region.memstoreDataBytes),
    ),
    ...heldMetrics(engine.heldSnapshots),
    counter(
      'tidegate_native_dropped_versions_total',
      'Surplus versions that memstores have dropped before a flush',
      () => engine.figures.droppedVersions,
    ),
    counter(
      'tidegate_native_flushes_total',
      'Regions whose memstores were written to store files',
      () => flusher.flushes,
    ),
    counter(
      'tidegate_native_failed_flushes_total',
      'Flushes that failed, as for want of disk space',
      () => flusher.failures.count,
    ),
    ...storeFileMetrics(regions),
    ...openFileMetrics(engine.storeFiles.openFiles),
    gauge(
      'tidegate_native_wal_bytes',
      'Bytes of the write-ahead log that a start would read',
      () => wal.bytes,
    ),
    gauge('tidegate_native_wal_files', 'Files of the write-ahead log', () => wal.fileCount),
    ...keptLogMetrics(engine),
    counter(
      'tidegate_native_wal_failures_total',
      'Times that the write-ahead log could not be written',
      () => wal.failures,
    ),
    {
      name: 'tidegate_native_outage',
      kind: 'gauge',
      help: 'By its cause, whether no writes are taken',
      labels: ['cause'],
      read: () => (wal.failure === undefined ? [] : [{ labels: { cause: causeOf(wal.failure) }, value: 1 }]),
    },
    ...cacheMetrics(blockCache),
    ...tableMetrics(engine),
    ...diskMetrics(engine),
    ...backups.last.metrics(),
  ]
}

function keptLogMetrics({ keeping, wal }: Engine): Metric[] {
  const ofHolds = (value: (hold: Hold) => number): Sample[] =>
    keeping.holds.map((hold) => ({ labels: { hold: hold.name }, value: value(hold) }))
  return [
    gauge(
      'tidegate_native_kept_wal_bytes',
      'Bytes of logs that only readers of changes need',
      () => keeping.bytes,
    ),
    {
      name: 'tidegate_native_log_hold_left_bytes',
      kind: 'gauge',
      help: 'Bytes of the log behind the position of a hold',
      labels: ['hold'],
      read: () => ofHolds((hold) => wal.files.bytesFor(hold)),
    },
    {
      name: 'tidegate_native_log_hold_lost',
      kind: 'gauge',
      help: 'By its name, whether the log is not kept any longer for a hold',
      labels: ['hold'],
      read: () => ofHolds(({ loss }) => (loss === undefined ? 0 : 1)),
    },
  ]
}

/** A gauge of a disk, which has no sample where the disk does not report the value. */
function diskGauge(name: string, help: string, read: () => number): Metric {
  return {
    name,
    kind: 'gauge',
    help,
    together: 'max',
    read: () => {
      try {
        const value = read()
        return Number.isFinite(value) ? [{ value }] : []
      } catch {
        return []
      }
    },
  }
}

function diskMetrics({ fileSystem, directory }: Engine): Metric[] {
  return [
    diskGauge('tidegate_native_disk_free_bytes', 'Bytes that the store may still write to its disk', () =>
      fileSystem.freeBytes(directory),
    ),
    diskGauge('tidegate_native_disk_bytes', 'Size of the disk of the store', () =>
      fileSystem.diskBytes(directory),
    ),
  ]
}

function heldMetrics(held: HeldSnapshots): Metric[] {
  return [
    gauge(
      'tidegate_native_held_snapshot_bytes',
      'Memory of flushed memstores that open scanners read',
      () => held.bytes,
    ),
    gauge('tidegate_native_held_snapshots', 'Flushed memstores that open scanners read', () => held.count),
    counter(
      'tidegate_native_let_go_snapshots_total',
      'Flushed memstores whose scanners were sent on to store files, for want of memory',
      () => held.letGo,
    ),
  ]
}

function compactionMetrics(compactor: Compactor): Metric[] {
  return [
    counter(
      'tidegate_native_compactions_total',
      'Compactions: store files that were replaced by one',
      () => compactor.compactions,
    ),
    counter(
      'tidegate_native_major_compactions_total',
      'Compactions of all files of a region and family',
      () => compactor.majorCompactions,
    ),
    counter(
      'tidegate_native_failed_compactions_total',
      'Compactions that failed, as for want of disk space',
      () => compactor.failedCompactions,
    ),
    counter(
      'tidegate_native_compacted_bytes_total',
      'Bytes of store files that compactions replaced',
      () => compactor.bytesRead,
    ),
    counter(
      'tidegate_native_compaction_written_bytes_total',
      'Bytes of store files that compactions wrote',
      () => compactor.bytesWritten,
    ),
    gauge('tidegate_native_running_compactions', 'Compactions under way', () => compactor.runningCount),
    gauge('tidegate_native_waiting_compactions', 'Compactions that wait', () => compactor.waitingCount),
  ]
}

function stageTimes({ wal, runner }: Engine): Metric {
  const { flush, compaction } = runner.figures.times
  const stages = { log_append: wal.times.appends, log_sync: wal.times.syncs, flush, compaction }
  return {
    name: 'tidegate_native_stage_seconds',
    kind: 'histogram',
    help: 'How long stages of the engine took',
    labels: ['stage'],
    read: () => Object.entries(stages).flatMap(([stage, times]) => [...times.samples({ stage })]),
  }
}

function storeFileMetrics(regions: ReadonlyMap<number, Region>): Metric[] {
  const sum = (of: (file: StoreRun) => number) => () => {
    let sum = 0
    for (const { stores } of regions.values())
      for (const { files } of stores) for (const { run } of files) sum += of(run)
    return sum
  }
  const sumOfHFiles = (of: (file: HFile) => number): (() => number) =>
    sum((run) => (run instanceof HFile ? of(run) : 0))
  return [
    gauge(
      'tidegate_native_store_files',
      'Store files of all regions',
      sum(() => 1),
    ),
    gauge(
      'tidegate_native_index_bytes',
      'Bytes of indexes and bloom filters in store files',
      sumOfHFiles(({ indexBytes }) => indexBytes),
    ),
    gauge(
      'tidegate_native_index_kept_bytes',
      'Memory of indexes and bloom filters that open store files keep outside of the block cache',
      sumOfHFiles(({ keptBytes }) => keptBytes),
    ),
  ]
}

function sumOf(regions: ReadonlyMap<number, Region>, of: (region: Region) => number): number {
  let sum = 0
  for (const region of regions.values()) sum += of(region)
  return sum
}

/** The operating system's code for what went wrong, such as ENOSPC, or `other`. */
function causeOf({ cause }: Error): string {
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return 'other'
}
