import { decimal, flag, javaClass, type SettingsOf, whole } from './settings.ts'

/** When store files are compacted, and which. Defaults are HBase's; all may be stated for a table or family, too. */
export interface CompactionOptions {
  /** Fewest files of a minor compaction. */
  readonly filesMin: number
  /** Most files of a compaction that no client has asked for. */
  readonly filesMax: number
  /** Files that together are smaller are compacted under any ratio; undefined: the region's flush size. */
  readonly bytesMin: number | undefined
  /** Larger files are left to major compactions. */
  readonly bytesMax: number
  /** The same off-peak; undefined: bytesMax. */
  readonly bytesMaxOffPeak: number | undefined
  /** No file of a minor compaction is larger than the others together times this. */
  readonly ratio: number
  readonly ratioOffPeak: number
  /** Larger compactions run one at a time; undefined: 2 * filesMax * the region's flush size. */
  readonly largeBytes: number | undefined
  /** The files in a family above which a region's flushes wait for a compaction. */
  readonly blockingFiles: number
  /** Longest time that a flush waits so. */
  readonly blockingWaitMs: number
  /** Time between major compactions; 0: none by themselves. */
  readonly majorPeriodMs: number
  /** The part of the period by which it varies from store to store. */
  readonly majorJitter: number
  /** Major compactions keep younger tombstones. */
  readonly purgeDeletesMs: number
  /** Whether files go whole when all their cells have expired. */
  readonly dropsExpiredFiles: boolean
  /** How files are chosen: by size, or by the time of their cells. */
  readonly choice: 'by size' | 'by time'
  /** For compactions by time: minor compactions leave windows alone that end longer ago. */
  readonly fileAgeMaxMs: number
  /** For compactions by time: length of the newest windows. */
  readonly windowMs: number
  /** For compactions by time: so many windows make one of the next tier. */
  readonly windowsPerTier: number
  /** For compactions by time: windows that begin longer ago grow no more; undefined: fileAgeMaxMs. */
  readonly tierAgeMaxMs: number | undefined
  /** For compactions by time: fewest files of a compaction of the newest window. */
  readonly incomingFilesMin: number
  /** For compactions by time: minor compactions make one file, not one of the window and one of older cells. */
  readonly isSingleOutput: boolean
}

const DAY_MS = 86_400_000

export const DEFAULT_COMPACTION_OPTIONS: CompactionOptions = {
  filesMin: 3,
  filesMax: 10,
  bytesMin: undefined,
  bytesMax: Number.POSITIVE_INFINITY,
  bytesMaxOffPeak: undefined,
  ratio: 1.2,
  ratioOffPeak: 5,
  largeBytes: undefined,
  blockingFiles: 16,
  blockingWaitMs: 90_000,
  majorPeriodMs: 7 * DAY_MS,
  majorJitter: 0.5,
  purgeDeletesMs: 0,
  dropsExpiredFiles: true,
  choice: 'by size',
  fileAgeMaxMs: Number.POSITIVE_INFINITY,
  windowMs: DAY_MS / 4,
  windowsPerTier: 4,
  tierAgeMaxMs: undefined,
  incomingFilesMin: 6,
  isSingleOutput: true,
}

const STORE_ENGINES: Readonly<Record<string, CompactionOptions['choice']>> = {
  'org.apache.hadoop.hbase.regionserver.DefaultStoreEngine': 'by size',
  'org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine': 'by time',
}

const TIERED = 'hbase.hstore.compaction.date.tiered'

export const COMPACTION_SETTINGS: Required<SettingsOf<CompactionOptions>> = {
  filesMin: whole(0, 'hbase.hstore.compaction.min', 'hbase.hstore.compactionThreshold'),
  filesMax: whole(1, 'hbase.hstore.compaction.max'),
  bytesMin: whole(0, 'hbase.hstore.compaction.min.size'),
  bytesMax: whole(0, 'hbase.hstore.compaction.max.size'),
  bytesMaxOffPeak: whole(0, 'hbase.hstore.compaction.max.size.offpeak'),
  ratio: decimal(0, 'hbase.hstore.compaction.ratio'),
  ratioOffPeak: decimal(0, 'hbase.hstore.compaction.ratio.offpeak'),
  largeBytes: whole(0, 'hbase.regionserver.thread.compaction.throttle'),
  blockingFiles: whole(1, 'hbase.hstore.blockingStoreFiles'),
  blockingWaitMs: whole(0, 'hbase.hstore.blockingWaitTime'),
  majorPeriodMs: whole(0, 'hbase.hregion.majorcompaction'),
  majorJitter: decimal(0, 'hbase.hregion.majorcompaction.jitter'),
  purgeDeletesMs: whole(0, 'hbase.hstore.time.to.purge.deletes'),
  dropsExpiredFiles: flag('hbase.store.delete.expired.storefile'),
  choice: javaClass(STORE_ENGINES, 'hbase.hstore.engine.class'),
  fileAgeMaxMs: whole(0, `${TIERED}.max.storefile.age.millis`),
  windowMs: whole(1, `${TIERED}.base.window.millis`),
  windowsPerTier: whole(1, `${TIERED}.windows.per.tier`),
  tierAgeMaxMs: whole(0, `${TIERED}.max.tier.age.millis`),
  incomingFilesMin: whole(0, `${TIERED}.incoming.window.min`),
  isSingleOutput: flag(`${TIERED}.single.output.for.minor.compaction`),
}
