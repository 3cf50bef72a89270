import type { TableMap } from './catalog/table-map.ts'
import type { MemstoreLimits } from './memstore/memstore-limits.ts'
import type { RegionFlusher } from './region/region-flusher.ts'
import type { WalRecord } from './wal/log-reader.ts'
import type { Recovery } from './wal/recovery.ts'
import { recordBytes } from './wal/wal-format.ts'
import type { WriteAheadLog } from './wal/write-ahead-log.ts'
import type { Mvcc } from './write/mvcc.ts'

export interface ReplayParts {
  readonly wal: WriteAheadLog
  readonly mvcc: Mvcc
  readonly tables: TableMap
  readonly limits: MemstoreLimits
  readonly flusher: RegionFlusher
  readonly recovery: Recovery
}

/** Puts into the memstores what the log has and store files have not. Throws CORRUPTION, IO. */
export async function replayLog(parts: ReplayParts): Promise<void> {
  const { wal, mvcc, tables, limits, flusher, recovery } = parts
  recovery.begin(wal.bytesToRecover())
  const tornBytes = await wal.recover(
    (record) => {
      recovery.add(recordBytes(record.cells.byteLength))
      replayRecord(parts, record)
    },
    async () => {
      mvcc.publish()
      for (const region of tables.regions.values()) {
        if (region.memstoreBytes >= limits.flushBytesOf(region)) await flusher.flushSoon(region)
      }
    },
  )
  mvcc.publish()
  await wal.trim(flusher.flushedUpTo)
  recovery.end(tornBytes)
}

function replayRecord({ mvcc, tables, limits }: ReplayParts, record: WalRecord): void {
  const { sequenceId, cells } = record
  mvcc.raise(sequenceId)
  const region = tables.regions.get(record.region)
  // Changes in the log are never taken back.
  mvcc.publish()
  if (region === undefined || sequenceId <= region.flushedSequenceId) return
  const before = region.memstoreBytes
  region.insert(cells, sequenceId)
  limits.replayed(region.memstoreBytes - before)
}
