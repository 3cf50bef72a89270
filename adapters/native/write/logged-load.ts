/**
 * Writes the cells of loaded files through the log and the memstores, so that readers of the log get them. Each block of them is one record, which reads see as a
 * whole. The load waits for room in the memstores, and for the log, as writers do; the event loop runs meanwhile.
 */

import { compareBytes } from '../../../src/model/bytes.ts'
import { rowLength, rowOffset } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, CellBlock, CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Steps } from '../../../src/model/steps.ts'
import { GradualInsert } from '../region/gradual-insert.ts'
import type { Region } from '../region/region.ts'
import type { TargetRegions } from '../region/target-regions.ts'
import { STEP_COST } from './change-cost.ts'
import type { LoadedCells } from './loaded-cells.ts'
import { logCells } from './store-cells.ts'
import { checkNothingLost } from './write-checks.ts'
import type { WritePathParts } from './write-path-parts.ts'

export interface LoggedLoadParts
  extends Pick<WritePathParts, 'wal' | 'mvcc' | 'limits' | 'retirements' | 'turns'> {
  /** Throws what flushes throw. */
  readonly flush: (region: Region) => Promise<unknown>
  /** Throws where the store is closed, or the table is not there or disabled. */
  readonly served: () => TargetRegions
  readonly families: readonly Buffer[]
  /** See clustersOf. */
  readonly clusters: Buffer | undefined
}

export class LoggedLoad {
  readonly #parts: LoggedLoadParts
  #logFailures = 0

  constructor(parts: LoggedLoadParts) {
    this.#parts = parts
  }

  /** Resolves once the disk has all cells. Where it throws, some of them may be written. */
  async write(cells: LoadedCells): Promise<void> {
    const { wal, turns } = this.#parts
    if (wal.failure !== undefined) await wal.restart()
    this.#logFailures = wal.failures
    for (;;) {
      const block = await turns.run(cells.next())
      if (block.length === 0) break
      await this.#writeBlock(block)
      await wal.committed(false)
    }
    await wal.committed(true)
    checkNothingLost(wal, this.#logFailures)
  }

  /** Writes each region's part of the cells: regions may have split since the load began. */
  async #writeBlock(cells: CellBlockBuilder): Promise<void> {
    for (let rest = cells; rest.length > 0; ) {
      const region = await this.#ready(rest)
      const end = endWithin(region, rest)
      const part = end === rest.length ? rest : copyOf(rest, 0, end)
      if (await this.#writePart(region, part)) rest = copyOf(rest, part.length, rest.length)
    }
  }

  /** The region of the first cell, once nothing keeps the load from going on in it. */
  async #ready(cells: CellBlockBuilder): Promise<Region> {
    for (;;) {
      const served = this.#parts.served()
      const region = this.#regionOf(served, cells)
      const wait = this.#waitOf(served, region)
      if (wait === undefined) return region
      await wait
    }
  }

  #regionOf(served: TargetRegions, { buffer }: CellBlockBuilder): Region {
    const cell = CELL_PREFIX_BYTES
    return served.regionOf(buffer, rowOffset(cell), rowLength(buffer, cell), 'batchMutate')
  }

  #waitOf({ exchange }: TargetRegions, region: Region): Promise<unknown> | undefined {
    const { wal, limits, flush } = this.#parts
    checkNothingLost(wal, this.#logFailures)
    if (exchange !== undefined) return exchange
    if (limits.isFull) return limits.waitForRoom()
    if (region.memstoreBytes >= limits.flushBytesOf(region)) return flush(region)
    return region.inserts.resumed
  }

  /** False: the region was replaced or flushed meanwhile, and nothing is written. */
  async #writePart(region: Region, cells: CellBlockBuilder): Promise<boolean> {
    const { wal, turns, retirements, families, clusters } = this.#parts
    // A load of HBase writes no part of itself where a family is missing.
    const missing = families.find((family) => !region.hasFamily(family))
    if (missing !== undefined)
      throw new HBaseError('DO_NOT_RETRY', `No such column family ${missing.toString('latin1')}`)
    retirements.checkWritable(region.number)
    // In the turn of the microtasks since then, a flush may have begun.
    if (region.inserts.resumed !== undefined || !region.isOpen) return false
    const insert = new GradualInsert(region, new CellBlock(cells.buffer, 0, cells.length))
    try {
      const isWhole = await turns.run(this.#insertInSteps(region, insert), () =>
        checkNothingLost(wal, this.#logFailures),
      )
      const served = this.#parts.served()
      if (!isWhole || served.exchange !== undefined || insert.isStale) return false
      if (this.#regionOf(served, cells) !== region) return false
      retirements.checkWritable(region.number)
      insert.settle(logCells(this.#parts, region, cells, 'SYNC_WAL', true, clusters))
      wal.commitIfLarge()
      return true
    } finally {
      insert.end()
    }
  }

  *#insertInSteps(region: Region, insert: GradualInsert): Steps<boolean> {
    for (;;) {
      const before = region.memstoreBytes
      const goesOn = insert.insert(STEP_COST)
      this.#parts.limits.grew(region, region.memstoreBytes - before)
      if (!goesOn) return true
      yield
      if (insert.isStale) return false
    }
  }
}

/** Where the rows of the region end in cells that begin with one of them. */
function endWithin({ endKey }: Region, { buffer, length }: CellBlockBuilder): number {
  if (endKey.length === 0) return length
  const cursor = new CellCursor(new CellBlock(buffer, 0, length))
  for (let end = 0; cursor.next(); end = cursor.position) {
    const row = buffer.subarray(cursor.rowOffset, cursor.rowOffset + cursor.rowLength)
    if (compareBytes(row, endKey) >= 0) return end
  }
  return length
}

function copyOf({ buffer }: CellBlockBuilder, start: number, end: number): CellBlockBuilder {
  const copy = new CellBlockBuilder(end - start)
  copy.length = buffer.copy(copy.buffer, 0, start, end)
  return copy
}
