import type { FamilyDescriptor, TableDescriptor } from '../../../src/model/descriptor.ts'

/** When store files are compacted, and which. Defaults are HBase's. */
export interface CompactionOptions {
  /** Fewest files of a minor compaction. HBase: hbase.hstore.compaction.min. */
  readonly filesMin: number
  /** Most files of a compaction that nobody asked for. HBase: hbase.hstore.compaction.max. */
  readonly filesMax: number
  /** Files that together are smaller are compacted whatever their ratio; undefined: the region's flush size. HBase: hbase.hstore.compaction.min.size. */
  readonly bytesMin: number | undefined
  /** Larger files are left to major compactions. HBase: hbase.hstore.compaction.max.size. */
  readonly bytesMax: number
  /** No file of a minor compaction is larger than the others together times this. HBase: hbase.hstore.compaction.ratio. */
  readonly ratio: number
  /** With more files in a family, a region's flushes wait for a compaction. HBase: hbase.hstore.blockingStoreFiles. */
  readonly blockingFiles: number
  /** Longest time that a flush waits so. HBase: hbase.hstore.blockingWaitTime. */
  readonly blockingWaitMs: number
  /** Time between major compactions; 0: none by themselves. HBase: hbase.hregion.majorcompaction. */
  readonly majorPeriodMs: number
  /** The part of the period by which it varies from store to store. HBase: hbase.hregion.majorcompaction.jitter. */
  readonly majorJitter: number
  /** Major compactions keep younger tombstones. HBase: hbase.hstore.time.to.purge.deletes. */
  readonly purgeDeletesMs: number
}

const DAY_MS = 86_400_000

export const DEFAULT_COMPACTION_OPTIONS: CompactionOptions = {
  filesMin: 3,
  filesMax: 10,
  bytesMin: undefined,
  bytesMax: Number.POSITIVE_INFINITY,
  ratio: 1.2,
  blockingFiles: 16,
  blockingWaitMs: 90_000,
  majorPeriodMs: 7 * DAY_MS,
  majorJitter: 0.5,
  purgeDeletesMs: 0,
}

/** The options of one store, complete. */
export interface CompactionRules extends CompactionOptions {
  readonly bytesMin: number
  /** Larger compactions run one at a time. HBase: hbase.regionserver.thread.compaction.throttle. */
  readonly largeBytes: number
}

/**
 * The rules of a family: HBase's keys among the attributes of the family or of its table go before the engine's options, as
 * in HStore. An attribute that is no number is passed over.
 */
export function compactionRules(
  options: CompactionOptions,
  table: TableDescriptor,
  family: FamilyDescriptor,
  flushBytes: number,
): CompactionRules {
  const stated = (key: string, otherwise: number): number => {
    const value = Number.parseFloat(family.attributes.get(key) ?? table.attributes.get(key) ?? '')
    return Number.isFinite(value) ? value : otherwise
  }
  const filesMax = stated('hbase.hstore.compaction.max', options.filesMax)
  return {
    filesMin: Math.max(2, stated('hbase.hstore.compaction.min', options.filesMin)),
    filesMax,
    bytesMin: stated('hbase.hstore.compaction.min.size', options.bytesMin ?? flushBytes),
    bytesMax: stated('hbase.hstore.compaction.max.size', options.bytesMax),
    ratio: stated('hbase.hstore.compaction.ratio', options.ratio),
    blockingFiles: stated('hbase.hstore.blockingStoreFiles', options.blockingFiles),
    blockingWaitMs: options.blockingWaitMs,
    majorPeriodMs: stated('hbase.hregion.majorcompaction', options.majorPeriodMs),
    majorJitter: stated('hbase.hregion.majorcompaction.jitter', options.majorJitter),
    purgeDeletesMs: stated('hbase.hstore.time.to.purge.deletes', options.purgeDeletesMs),
    largeBytes: stated('hbase.regionserver.thread.compaction.throttle', 2 * filesMax * flushBytes),
  }
}

/** HBase: TableDescriptor.isCompactionEnabled. */
export function isCompactionEnabled(table: TableDescriptor): boolean {
  return table.attributes.get('COMPACTION_ENABLED')?.toLowerCase() !== 'false'
}
