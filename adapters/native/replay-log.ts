import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Engine } from './engine/engine.ts'
import { ReplayedCells } from './region/replayed-cells.ts'
import type { WalRecord } from './wal/log-reader.ts'
import { recordBytes } from './wal/wal-format.ts'

/** Puts into the memstores what the log has and store files have not. Throws CORRUPTION, IO. */
export async function replayLog(engine: Engine): Promise<void> {
  const { wal, mvcc, flusher, recovery, orphans, limits } = engine
  const flushes = new Flushes(engine)
  const replayed = new ReplayedCells((bytes) => limits.replayed(bytes))
  recovery.begin(wal.bytesToRecover())
  let tornBytes: number
  try {
    tornBytes = await wal.recover(
      (record) => {
        recovery.add(recordBytes(record.cells.byteLength))
        replayRecord(engine, replayed, record)
      },
      () => flushes.afterLog(),
      // A flush that begins while the next log is opened takes the memstores for all up to the last sequence id.
      () => replayed.insertAll(),
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
  readonly #engine: Engine
  readonly #begun = new Set<Promise<unknown>>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async afterLog(): Promise<void> {
    const { mvcc, tables, limits, flusher } = this.#engine
    mvcc.publish()
    for (const region of tables.regions.values()) {
      if (region.memstoreBytes >= limits.flushBytesOf(region)) this.#add(flusher.flushSoon(region))
    }
    // The flushes have their turn before the next log is read at a stretch.
    if (limits.isFull) await this.ended()
    else if (this.#begun.size > 0) await nextTurn()
  }

  /** Resolves once all have ended, or failed: the flusher logs failures. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#begun)
  }

  #add(flush: Promise<unknown>): void {
    this.#begun.add(flush)
    const remove = (): void => void this.#begun.delete(flush)
    flush.then(remove, remove)
  }
}

function replayRecord({ mvcc, tables, orphans }: Engine, replayed: ReplayedCells, record: WalRecord): void {
  const { sequenceId, cells } = record
  mvcc.raise(sequenceId)
  const region = tables.regions.get(record.region)
  // Changes in the log are never taken back.
  mvcc.publish()
  if (region === undefined) orphans.take(record)
  else if (sequenceId > region.flushedSequenceId) replayed.add(region, cells, sequenceId)
}
