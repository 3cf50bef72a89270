import type { PreparedFilter } from '../../../src/filter/evaluate/prepared-filter.ts'
import { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Get, Scan } from '../../../src/model/query.ts'
import type { Results } from '../../../src/model/results.ts'
import { rangeOfScan } from '../../../src/query/row-range.ts'
import type { Call } from '../../../src/store/call.ts'
import type { OpenScanner } from '../../../src/store/handouts.ts'
import type { GetLimits } from '../../../src/store/rows.ts'
import type { SpanRecorder } from '../../../src/store/span-recorder.ts'
import { type Target, targetRegion, targetTable } from '../../../src/store/target.ts'
import type { EngineCalls } from '../engine/engine-calls.ts'
import type { LruBlockCache } from '../hfile/block-cache.ts'
import type { NativeOptions } from '../options/native-options.ts'
import { type Clock, monotonicMs, type RandomSource } from '../platform/file-system.ts'
import { AnswerSlab } from '../read/answer-slab.ts'
import { filteredGet } from '../read/filtered-get.ts'
import { NativeScanner } from '../read/native-scanner.ts'
import { withOwnBytes } from '../read/own-bytes.ts'
import { preparedFilter } from '../read/prepare-filter.ts'
import type { ReplicaChoice, ServedRegion } from '../region/served-region.ts'
import type { ReadTarget } from '../region/target-regions.ts'
import type { NativeHandouts } from './native-handouts.ts'

/** Other requests have their turn after so many gets, or at the end of a turn of LoopTurns: a get may have a filter that takes long. */
const GETS_A_TURN = 500
/** Gets without a filter between two looks at the clock. */
const GETS_A_LOOK = 16

/** The part of an engine that reads need, be it the thread's that writes or another one's. */
export interface ReadEngine {
  readonly calls: EngineCalls
  readonly tables: ReadTables
  readonly clock: Clock
  readonly mvcc: { readonly readPoint: number }
  readonly turns: LoopTurns
  readonly random: RandomSource
  readonly options: Pick<NativeOptions, 'scanSliceCells'>
  readonly blockCache: LruBlockCache
  readonly spans: SpanRecorder | undefined
}

export interface ReadTables {
  /** See TableMap, which has these. */
  served(target: Target): ReadTarget
  has(target: Target, served: ReadTarget): boolean
}

/** Gets, and the opening of scanners. */
export class NativeReads {
  readonly #engine: ReadEngine
  readonly #handouts: NativeHandouts
  readonly #slab = new AnswerSlab()

  constructor(engine: ReadEngine, handouts: NativeHandouts) {
    this.#engine = engine
    this.#handouts = handouts
  }

  get(target: Target, gets: readonly Get[], limits: GetLimits, call: Call): Promise<Results> {
    const { spans } = this.#engine
    if (spans === undefined || call.trace === undefined) return this.#get(target, gets, limits, call)
    return this.#tracedGet(spans, target, gets, limits, call)
  }

  async #tracedGet(
    spans: SpanRecorder,
    target: Target,
    gets: readonly Get[],
    limits: GetLimits,
    call: Call,
  ): Promise<Results> {
    const { blockCache } = this.#engine
    const span = spans.begin('read', call.trace)
    const { hits, misses } = blockCache
    try {
      const results = await this.#get(target, gets, limits, call)
      // Of several gets other reads may have had their turn meanwhile.
      if (gets.length === 1) {
        span?.set('tidegate.blocks.cached', blockCache.hits - hits)
        span?.set('tidegate.blocks.read', blockCache.misses - misses)
      }
      span?.end()
      return results
    } catch (error) {
      span?.end(error)
      throw error
    }
  }

  async #get(target: Target, gets: readonly Get[], { bytes }: GetLimits, call: Call): Promise<Results> {
    const { calls, tables, clock, mvcc, turns } = this.#engine
    const handouts = this.#handouts
    calls.check(call)
    const served = tables.served(target)
    const now = clock.now()
    const [only, other] = gets
    if (only !== undefined && other === undefined) {
      return this.#getOne(target, served, only, now) ?? this.#getInTurns(target, served, only, now, call)
    }
    const cells = new CellBlockBuilder()
    const counts: number[] = []
    /** Gets of closed regions whose copies are open. */
    let ofCopies: Set<number> | undefined
    let turnIndex = 0
    let turnEndMs = monotonicMs(clock) + turns.begin()
    for (let index = 0; index < gets.length && (index === 0 || cells.length < bytes); index++) {
      const looksAtClock = index % GETS_A_LOOK === 0 || gets[index]!.filter !== undefined
      const isLate = index - turnIndex >= GETS_A_TURN || (looksAtClock && monotonicMs(clock) >= turnEndMs)
      if (index > 0 && isLate) {
        await this.#pause(target, served, call)
        turnIndex = index
        turnEndMs = monotonicMs(clock) + turns.begin()
      }
      const get = gets[index]!
      const preparing = preparedFilter(get, this.#engine, () => this.check(target, served, call))
      const prepared = preparing && (await preparing)
      const replica = replicaOfGet(target, get)
      const region = served.regionOf(get.row, 0, get.row.length, 'Get', replica)
      if (replica === 'any' && region.closed.isClosed) ofCopies = (ofCopies ?? new Set<number>()).add(index)
      checkFamilies(get, region)
      let count: number | Promise<number> = region.getNarrow(get, mvcc.readPoint, now, cells, handouts)
      if (count < 0)
        count = this.#readInTurns(region, get, now, cells, () => this.#pause(target, served, call), prepared)
      counts.push(typeof count === 'number' ? count : await count)
    }
    const block = cells.block()
    if (ofCopies === undefined) return { cells: block, counts }
    return {
      cells: block,
      counts,
      stale: counts.map((_, index) => isStale(gets[index]!, ofCopies.has(index))),
    }
  }

  /** Most reads are of one row, without a pause. Undefined: this one is not. */
  #getOne(target: Target, served: ReadTarget, get: Get, now: number): Results | undefined {
    const replica = replicaOfGet(target, get)
    const region = served.regionOf(get.row, 0, get.row.length, 'Get', replica)
    checkFamilies(get, region)
    const cells = this.#slab.begin()
    const count = region.getNarrow(get, this.#engine.mvcc.readPoint, now, cells, this.#handouts)
    if (count < 0) return undefined
    this.#slab.taken(cells)
    const results = { cells: cells.block(), counts: [count] }
    return replica === 'any' && region.closed.isClosed ? { ...results, stale: [true] } : results
  }

  async #getInTurns(target: Target, served: ReadTarget, get: Get, now: number, call: Call): Promise<Results> {
    const preparing = preparedFilter(get, this.#engine, () => this.check(target, served, call))
    const prepared = preparing && (await preparing)
    const pause = (): Promise<void> => this.#pause(target, served, call)
    // Before the region is looked for: it may be split meanwhile.
    if (this.#engine.turns.isUsedUp) await pause()
    const replica = replicaOfGet(target, get)
    const region = served.regionOf(get.row, 0, get.row.length, 'Get', replica)
    checkFamilies(get, region)
    const isOfCopy = replica === 'any' && region.closed.isClosed
    const cells = new CellBlockBuilder()
    const count = await this.#readInTurns(region, get, now, cells, pause, prepared)
    const results = { cells: cells.block(), counts: [count] }
    return isOfCopy ? { ...results, stale: [true] } : results
  }

  #readInTurns(
    region: ServedRegion,
    get: Get,
    now: number,
    target: CellBlockBuilder,
    pause: () => Promise<void>,
    prepared: PreparedFilter | undefined,
  ): number | Promise<number> {
    const { mvcc, clock, turns } = this.#engine
    const context = {
      readPoint: mvcc.readPoint,
      now,
      loans: this.#handouts,
      turns,
      monotonicMs: () => monotonicMs(clock),
      prepared,
    }
    return filteredGet(region, get, context, target, pause)
  }

  /** Lets the event loop run. */
  async #pause(target: Target, served: ReadTarget, call: Call): Promise<void> {
    await this.#engine.turns.next()
    this.check(target, served, call)
  }

  async openScanner(target: Target, scan: Scan, call: Call): Promise<OpenScanner> {
    const { calls, tables, clock, mvcc, random, options, blockCache: blocks, turns } = this.#engine
    const handouts = this.#handouts
    calls.check(call)
    const served = tables.served(target)
    const own = withOwnBytes(scan)
    const preparing = preparedFilter(own, this.#engine, () => this.check(target, served, call))
    const prepared = preparing && (await preparing)
    const replica = replicaOfScan(target, scan)
    checkFamilies(scan, firstRegion(target, served, scan, replica))
    const { from, to } = rangeOfScan(served.regions, scan)
    for (let index = from; index < to; index++) served.regions[index]!.checkServed(replica)
    const readPoint = scanReadPoint(scan, mvcc)
    const scanner = new NativeScanner(served.regions, own, {
      context: { readPoint, now: clock.now(), random, loans: handouts, blocks, turns, prepared },
      clock,
      sliceCells: options.scanSliceCells,
      check: (ofNext) => this.check(target, served, ofNext),
      isGone: () => !tables.has(target, served),
    })
    return { id: handouts.addScanner(scanner), readPoint: BigInt(readPoint) }
  }

  /** Throws where the store is closed, the target was replaced, or no caller waits any more. */
  protected check(target: Target, served: ReadTarget, call: Call): void {
    this.#engine.calls.checkIsOpen()
    this.checkChange(target, served, call)
  }

  /** As `check`, but a closing store lets changes finish. */
  protected checkChange(target: Target, served: ReadTarget, call: Call): void {
    const { calls, tables } = this.#engine
    calls.checkIsAwaited(call)
    if (tables.served(target) === served) return
    const gone = targetRegion(target)?.encodedName ?? targetTable(target)
    throw new HBaseError('NOT_SERVING_REGION', `${gone} was deleted or truncated and made again`)
  }
}

/** Throws NO_SUCH_COLUMN_FAMILY. */
function checkFamilies(query: Get | Scan, region: ServedRegion): void {
  for (const { family } of query.columns) region.checkFamily(family)
}

/** The region at which HBase's clients begin to look. */
function firstRegion(
  target: Target,
  served: ReadTarget,
  { startRow }: Scan,
  replica: ReplicaChoice,
): ServedRegion {
  return typeof target === 'string'
    ? served.regionOf(startRow, 0, startRow.length, 'Get', replica)
    : served.regions[0]!
}

function replicaOfGet(target: Target, { replica }: Get): ReplicaChoice {
  return typeof target === 'string' ? replica : target.replica
}

function replicaOfScan(target: Target, { replica, mayBeStale = false }: Scan): ReplicaChoice {
  if (typeof target !== 'string') return target.replica
  return mayBeStale ? 'any' : replica
}

function isStale({ replica }: Get, isOfCopy: boolean): boolean {
  return isOfCopy || (typeof replica === 'number' && replica > 0)
}

/** The scan's read point if it states a lower one, else the present one. */
function scanReadPoint({ readPoint = 0n }: Scan, mvcc: ReadEngine['mvcc']): number {
  return readPoint > 0n && readPoint < BigInt(mvcc.readPoint) ? Number(readPoint) : mvcc.readPoint
}
