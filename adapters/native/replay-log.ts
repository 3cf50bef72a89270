import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from '../../src/model/steps.ts'
import type { Engine } from './engine/engine.ts'
import type { Region } from './region/region.ts'
import { ReplayedCells } from './region/replayed-cells.ts'
import type { WalRecord } from './wal/log-reader.ts'
import { recordBytes } from './wal/wal-format.ts'

/** Puts into the memstores what the log has and store files have not. Throws CORRUPTION, IO. */
export async function replayLog(engine: Engine): Promise<void> {
  const { wal, mvcc, flusher, recovery, orphans, limits, tables } = engine
  const flushes = new Flushes(engine)
  const replayed = new ReplayedCells((bytes) => limits.replayed(bytes))
  // A flush takes the memstores for all up to the last sequence id.
  const held = new HeldMemstores(tables.regions)
  recovery.begin(wal.bytesToRecover())
  let tornBytes: number
  try {
    tornBytes = await wal.recover({
      turns: engine.turns,
      beforeLog: () => held.hold(),
      onRecord: (record) => {
        recovery.add(recordBytes(record.cells.byteLength))
        return replayRecord(engine, replayed, record)
      },
      onRead: function* () {
        yield* replayed.insertAll()
        held.release()
      },
      afterLog: () => flushes.afterLog(),
    })
  } catch (error) {
    held.release()
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

/** The memstores of all regions: no flush takes them while a part of a log's cells is in them. */
class HeldMemstores {
  readonly #regions: Engine['tables']['regions']
  readonly #ends: (() => void)[] = []

  constructor(regions: Engine['tables']['regions']) {
    this.#regions = regions
  }

  /** Resolves once no flush takes memstores. */
  async hold(): Promise<void> {
    for (const { inserts } of this.#regions.values()) {
      while (inserts.resumed !== undefined) await inserts.resumed
      this.#ends.push(inserts.begin())
    }
  }

  release(): void {
    for (const end of this.#ends.splice(0)) end()
  }
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
    // They take their memstores before the next log holds them.
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

function replayRecord(
  { mvcc, tables, orphans }: Engine,
  replayed: ReplayedCells,
  record: WalRecord,
): Steps<void> | undefined {
  const { sequenceId, cells } = record
  mvcc.raise(sequenceId)
  const region = tables.regions.get(record.region)
  // Changes in the log are never taken back.
  mvcc.publish()
  if (region === undefined) orphans.take(record)
  else if (sequenceId > region.flushedSequenceId) {
    const at = replayed.add(region, cells, sequenceId)
    if (at < cells.end) return addRest(replayed, region, record, at)
  }
  return undefined
}

/** Adds the cells from place `from` on, which had no room. */
function* addRest(
  replayed: ReplayedCells,
  region: Region,
  { cells, sequenceId }: WalRecord,
  from: number,
): Steps<void> {
  for (let at = from; at < cells.end; at = replayed.add(region, cells, sequenceId, at))
    yield* replayed.insertAll()
}
