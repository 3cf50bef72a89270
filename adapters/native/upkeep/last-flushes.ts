/**
 * The flushes of a stop, the largest regions first. A stop has little time: what is small stays in the log, which the next start
 * replays faster than its regions, maybe thousands, would be written as files. HBase's region server flushes them all.
 */

import { counted } from '../../../src/model/counted.ts'
import { JobCancelled } from '../background/file-job.ts'
import type { Engine } from '../engine/engine.ts'
import { monotonicMs } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { Region } from '../region/region.ts'
import type { RegionFlusher } from '../region/region-flusher.ts'

/** Flushes what is worth it, and all that only the memory has. A flush that fails leaves its region to the log, too. */
export async function flushForStop({
  tables,
  flusher,
  wal,
  clock,
  log,
  options: { stop },
}: Engine): Promise<void> {
  // Where a log was removed by hand, store files must do.
  wal.verify()
  const unflushed = [...tables.regions.values()].filter((region) => region.hasUnflushedCells)
  unflushed.sort((a, b) => b.memstoreBytes - a.memstoreBytes)
  const since = monotonicMs(clock)
  const isOver = (): boolean => monotonicMs(clock) - since >= stop.flushMsMax
  // After a failure of the log the disk may have lost parts of it.
  const mustFlush = (region: Region): boolean => wal.failures > 0 || region.hasUnloggedCells
  flusher.isGivenUp = (region): boolean => isOver() && !mustFlush(region)
  const left = { regions: 0, bytes: 0 }
  for (const [index, region] of unflushed.entries()) {
    const isWorth = index < stop.smallRegionsMax || region.memstoreBytes >= stop.worthBytes
    const isDue = mustFlush(region) || (isWorth && !isOver())
    if (isDue && (await flushAnyway(region, flusher, log))) continue
    left.regions++
    left.bytes += region.memstoreBytes
  }
  if (left.regions === 0) return
  const message = `the next start replays ${left.bytes} bytes of ${counted(left.regions, 'region', 'regions')} from the log: that takes less time than to flush them now`
  log('info', message, { ...left })
}

/** False where the time was over before the flush was. */
async function flushAnyway(region: Region, flusher: RegionFlusher, log: NativeLog): Promise<boolean> {
  try {
    await flusher.flush(region)
  } catch (error) {
    if (error instanceof JobCancelled) return false
    log('error', `region ${region.name.toString()} could not be flushed: its log is kept`, { error })
  }
  return true
}
