import { int, type SettingsOf, whole, wholeUpTo } from './settings.ts'

/** The engine's work by the clock. Defaults are HBase's. */
export interface UpkeepOptions {
  /** Time between two looks at the clock. */
  readonly wakeMs: number
  /** Looks at the clock between two looks for compactions that time alone asks for. */
  readonly wakesACheck: number
  /** Time between two looks for snapshots whose time to live is over. */
  readonly snapshotCleanMs: number
  /** Cells are flushed at this age; 0: never for their age. */
  readonly flushAgeMs: number
  /** Such flushes are spread over so many seconds. */
  readonly flushSpreadSeconds: number
  /** Bytes of cells a second that compactions write while they keep up, and before flushes have to wait for them. */
  readonly compactionRateMin: number
  readonly compactionRateMax: number
  /** The same off-peak. */
  readonly compactionRateOffPeak: number
  /** Hours of the day, local time, from which and up to which larger compactions are welcome; -1: none. */
  readonly offPeakStartHour: number
  readonly offPeakEndHour: number
}

const MIB = 1024 * 1024

export const DEFAULT_UPKEEP_OPTIONS: UpkeepOptions = {
  wakeMs: 10_000,
  wakesACheck: 1000,
  snapshotCleanMs: 1_800_000,
  flushAgeMs: 3_600_000,
  flushSpreadSeconds: 300,
  compactionRateMin: 50 * MIB,
  compactionRateMax: 100 * MIB,
  compactionRateOffPeak: Number.POSITIVE_INFINITY,
  offPeakStartHour: -1,
  offPeakEndHour: -1,
}

export const UPKEEP_SETTINGS: Required<SettingsOf<UpkeepOptions>> = {
  wakeMs: int(1, 'hbase.server.thread.wakefrequency'),
  wakesACheck: int(1, 'hbase.server.compactchecker.interval.multiplier'),
  snapshotCleanMs: int(1, 'hbase.master.cleaner.snapshot.interval'),
  flushAgeMs: int(0, 'hbase.regionserver.optionalcacheflushinterval'),
  flushSpreadSeconds: int(0, 'hbase.regionserver.periodicmemstoreflusher.rangeofdelayseconds'),
  compactionRateMin: whole(1, 'hbase.hstore.compaction.throughput.lower.bound'),
  compactionRateMax: whole(1, 'hbase.hstore.compaction.throughput.higher.bound'),
  compactionRateOffPeak: whole(1, 'hbase.hstore.compaction.throughput.offpeak'),
  offPeakStartHour: wholeUpTo(23, -1, 'hbase.offpeak.start.hour'),
  offPeakEndHour: wholeUpTo(23, -1, 'hbase.offpeak.end.hour'),
}

/** True if the hour of the day is off-peak. HBase: OffPeakHours. */
export function isOffPeakHour(
  hour: number,
  { offPeakStartHour: start, offPeakEndHour: end }: UpkeepOptions,
): boolean {
  if (!isHour(start) || !isHour(end)) return false
  return start <= end ? start <= hour && hour < end : hour < end || start <= hour
}

function isHour(bound: number): boolean {
  return bound >= 0 && bound <= 23
}

/** True while the options welcome larger compactions. `nowMs`: milliseconds since 1970. */
export function isOffPeak(nowMs: number, options: UpkeepOptions): boolean {
  return isOffPeakHour(new Date(nowMs).getHours(), options)
}
