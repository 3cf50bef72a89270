import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Region } from './region.ts'

/** Regions that are flushed side by side, or fewer, with so many bytes in memory. */
const GROUP_REGIONS = 64
const GROUP_BYTES = 16 * 1024 * 1024
/** Regions looked at at a stretch. */
const LOOKED_AT_A_TURN = 1000

/**
 * Passes the regions that have cells in memory to `flush`, some of them together: each waits for the disk many times, and a table may have
 * thousands.
 */
export async function inFlushGroups(
  regions: readonly Region[],
  flush: (group: readonly Region[]) => Promise<void>,
): Promise<void> {
  let group: Region[] = []
  let bytes = 0
  for (const [index, region] of regions.entries()) {
    if (index % LOOKED_AT_A_TURN === LOOKED_AT_A_TURN - 1) await nextTurn()
    if (!region.hasUnflushedCells) continue
    group.push(region)
    bytes += region.memstoreBytes
    if (group.length < GROUP_REGIONS && bytes < GROUP_BYTES) continue
    await flush(group)
    group = []
    bytes = 0
  }
  if (group.length > 0) await flush(group)
}
