import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MemstoreLimits } from './region/memstore-limits.ts'
import type { Mvcc } from './region/mvcc.ts'
import type { RegionFlusher } from './region/region-flusher.ts'
import type { TableMap } from './tables/table-map.ts'
import type { WalRecord } from './wal/log-reader.ts'
import type { OrphanRecords } from './wal/orphan-records.ts'
import type { Recovery } from './wal/recovery.ts'
import { recordBytes } from './wal/wal-format.ts'
import type { WriteAheadLog } from './wal/write-ahead-log.ts'

export interface ReplayParts {
  readonly wal: WriteAheadLog
  readonly mvcc: Mvcc
  readonly tables: TableMap
  readonly limits: MemstoreLimits
  readonly flusher: RegionFlusher
  readonly recovery: Recovery
  readonly orphans: OrphanRecords
}

/** Puts into the memstores what the log has and store files have not. Throws CORRUPTION, IO. */
export async function replayLog(parts: ReplayParts): Promise<void> {
  const { wal, mvcc, flusher, recovery, orphans } = parts
  const flushes = new Flushes(parts)
  recovery.begin(wal.bytesToRecover())
  let tornBytes: number
  try {
    tornBytes = await wal.recover(
      (record) => {
        recovery.add(recordBytes(record.cells.byteLength))
        replayRecord(parts, record)
      },
      () => flushes.afterLog(),
    )
  } catch (error) {
    // The caller closes the files that they write.
    await flushes.ended()
    throw error
  }
  mvcc.publish()
  // Before a log goes.
  await orphans.save()
  await wal.trim(flusher.flushedUpTo)
  recovery.end(tornBytes)
}

/** The flushes that a replay begins. They go on beside it, and after it, as long as there is memory for what it reads meanwhile. */
class Flushes {
  readonly #parts: ReplayParts
  readonly #begun = new Set<Promise<unknown>>()

  constructor(parts: ReplayParts) {
    this.#parts = parts
  }

  async afterLog(): Promise<void> {
    const { mvcc, tables, limits, flusher } = this.#parts
    mvcc.publish()
    for (const region of tables.regions.values()) {
      if (region.memstoreBytes >= limits.flushBytesOf(region)) this.#add(flusher.flushSoon(region))
    }
    // The flushes have their turn before the next log is read at a stretch.
    if (limits.isFull) await this.ended()
    else if (this.#begun.size > 0) await nextTurn()
  }

  /** Resolves once all have ended, with whatever outcome: the flusher tells of failures. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#begun)
  }

  #add(flush: Promise<unknown>): void {
    this.#begun.add(flush)
    const remove = (): void => void this.#begun.delete(flush)
    flush.then(remove, remove)
  }
}

function replayRecord({ mvcc, tables, limits, orphans }: ReplayParts, record: WalRecord): void {
  const { sequenceId, cells } = record
  mvcc.raise(sequenceId)
  const region = tables.regions.get(record.region)
  // Changes in the log are never taken back.
  mvcc.publish()
  if (region === undefined) {
    orphans.take(record)
    return
  }
  if (sequenceId <= region.flushedSequenceId) return
  const before = region.memstoreBytes
  region.insert(cells, sequenceId)
  limits.replayed(region.memstoreBytes - before)
}
