/** Compacts stores: those that have too many files after a flush, and those that a client names. HBase: CompactSplit. */

import { InvariantError } from '../../../src/model/assert.ts'
import { counted } from '../../../src/model/counted.ts'
import type { CompactionState } from '../../../src/store/region-figures.ts'
import { JobCancelled } from '../background/file-job.ts'
import type { Engine } from '../engine/engine.ts'
import { isOffPeak } from '../options/upkeep-options.ts'
import { monotonicMs } from '../platform/file-system.ts'
import { Progress } from '../platform/progress.ts'
import type { FamilyStore } from '../region/family-store.ts'
import type { Region } from '../region/region.ts'
import { isCompactionEnabled } from './compaction-rules.ts'
import { compactFiles, dropFiles } from './file-compaction.ts'
import { CompactionCells, compactionsByRegion, type RegionCompactions } from './region-compactions.ts'
import type { CompactionChoice, CompactionWish, StoreChoice } from './store-choice.ts'
import { WaitingCompactions } from './waiting-compactions.ts'

interface Running {
  readonly choice: CompactionChoice
  readonly cells: CompactionCells
  readonly isLarge: boolean
  readonly isOffPeak: boolean
  readonly end: Promise<void>
}

/** Compactions at a time. While a large one runs, the others are small, so that no store waits for long. */
const RUNNING_MAX = 2
/** One more, which is not large, for a store that has more than one part in so many of the files at which its flushes would wait. */
const URGENT_PART = 2
/** A compaction of so many bytes is logged. */
const LOGGED_BYTES = 64 * 1024 * 1024
/** Time between two lines about a compaction. HBase: Compactor.COMPACTION_PROGRESS_LOG_INTERVAL. */
const PROGRESS_MS = 60_000

export class Compactor {
  /** Compactions so far that replaced files; `major`: of all files of a store. */
  compactions = 0
  majorCompactions = 0
  failedCompactions = 0
  bytesRead = 0
  bytesWritten = 0
  readonly #engine: Engine
  readonly #choice: StoreChoice
  readonly #compacted: (region: Region) => void
  readonly #waiting = new WaitingCompactions()
  readonly #running = new Map<CompactionWish, Running>()
  /** Since when a region's flushes wait for a compaction. */
  readonly #blockedSince = new WeakMap<Region, number>()
  /** Stores that had no file when a client asked for a major compaction: their next compaction is one. HBase: HStore.forceMajor. */
  readonly #majorOwed = new WeakSet<FamilyStore>()
  /** Stores whose files have all gone in a compaction: HBase keeps one without cells there, so that nothing is owed. */
  readonly #emptied = new WeakSet<FamilyStore>()
  #isClosed = false

  /** `compacted`: called when a region has fewer files than before. */
  constructor(engine: Engine, choice: StoreChoice, compacted: (region: Region) => void) {
    this.#engine = engine
    this.#choice = choice
    this.#compacted = compacted
  }

  get runningCount(): number {
    return this.#running.size
  }

  get waitingCount(): number {
    return this.#waiting.size
  }

  /** Compacts the stores of the region that have many files. */
  flushed(region: Region): void {
    const choice = this.#choice
    if (!region.stores.some((store) => choice.isNeeded(region, store))) return
    // HBase looks at all stores of the region then: those that are owed a compaction have theirs.
    for (const store of region.stores) {
      if (this.#majorOwed.has(store) || choice.isNeeded(region, store))
        this.#add({ region, store, isByUser: false, isMajor: false })
    }
  }

  /** Looks for compactions that time alone asks for: major ones, and files whose cells have expired. HBase: CompactionChecker. */
  check(region: Region): void {
    for (const store of region.stores) {
      const wish = { region, store, isByUser: false, isMajor: false }
      if (this.#choice.choose(wish, false) !== undefined) this.#add(wish)
    }
  }

  /** A compaction of all files comes even where there are few. */
  request(region: Region, store: FamilyStore, isMajor: boolean): void {
    this.#add({ region, store, isByUser: true, isMajor })
  }

  /** Called when bulk loads of the region have ended, for which its compactions have waited. */
  loaded(region: Region): void {
    this.flushed(region)
    this.#start()
  }

  stateOf(regions: readonly Region[]): CompactionState {
    const states = new Set<boolean>()
    const asked = new Set(regions)
    for (const requests of [this.#waiting, this.#running.keys()])
      for (const { region, isMajor } of requests) if (asked.has(region)) states.add(isMajor)
    if (states.size === 2) return 'MAJOR_AND_MINOR'
    if (states.size === 0) return 'NONE'
    return states.has(true) ? 'MAJOR' : 'MINOR'
  }

  /** The compactions of each region that has some: those that run, and those that wait. */
  byRegion(): ReadonlyMap<Region, RegionCompactions> {
    const waiting = [...this.#waiting].map((wish) => [wish, undefined] as const)
    const running = [...this.#running].map(([wish, { cells }]) => [wish, cells] as const)
    return compactionsByRegion([...waiting, ...running])
  }

  /** Whether a flush that a full memstore asks for is to wait, as the region has many files. HBase: MemStoreFlusher. */
  delaysFlush(region: Region): boolean {
    const { clock } = this.#engine
    const choice = this.#choice
    const blocked = this.#isClosed ? undefined : choice.blockedStore(region)
    if (blocked === undefined) {
      this.#blockedSince.delete(region)
      return false
    }
    const since = this.#blockedSince.get(region) ?? monotonicMs(clock)
    this.#blockedSince.set(region, since)
    if (monotonicMs(clock) - since >= choice.rulesOf(region, blocked).blockingWaitMs) return false
    this.#requestIfNeeded(region, blocked)
    return true
  }

  /** Takes no more requests, and ends what runs; what it has written so far is dropped. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#waiting.clear()
    await Promise.all([...this.#running.values()].map(({ end }) => end))
  }

  #requestIfNeeded(region: Region, store: FamilyStore): void {
    if (!this.#choice.isNeeded(region, store)) return
    this.#add({ region, store, isByUser: false, isMajor: false })
  }

  #add(request: CompactionWish): void {
    const { region } = request
    if (this.#isClosed || !isCompactionEnabled(region.table)) return
    // Its file could not be named, and would be left behind.
    if (this.#engine.catalogLog.failure !== undefined) return
    const isNew = this.#waiting.add(request)
    // One that waits already for the end of another one of its store may find enough files by now.
    if (isNew || this.#runningOf(request.store).length > 0) this.#start()
  }

  #runningOf(store: FamilyStore): CompactionChoice[] {
    return [...this.#running].filter(([wish]) => wish.store === store).map(([, { choice }]) => choice)
  }

  /** Starts waiting compactions, the store with the most files first. */
  #start(): void {
    const { clock, options } = this.#engine
    for (const request of this.#waiting) {
      const isFull = this.#running.size >= RUNNING_MAX
      if (isFull && (this.#running.size > RUNNING_MAX || !this.#isUrgent(request))) return
      if (request.region.loads > 0) continue
      const running = [...this.#running.values()]
      const beside = this.#runningOf(request.store)
      const mayUseOffPeak =
        isOffPeak(clock.now(), options.upkeep) && !running.some((other) => other.isOffPeak)
      const wish = this.#majorOwed.has(request.store) ? { ...request, isMajor: true } : request
      const choice =
        beside.length === 0 ? this.#choice.choose(wish, mayUseOffPeak) : this.#chooseBeside(wish, beside)
      const isLarge = choice !== undefined && choice.bytes > choice.rules.largeBytes
      if (isLarge && (isFull || running.some((other) => other.isLarge))) continue
      if (choice === undefined && beside.length > 0) continue
      this.#waiting.delete(request)
      if (choice === undefined && wish.isMajor && !this.#emptied.has(wish.store))
        this.#majorOwed.add(wish.store)
      if (choice === undefined || this.#isInVain(wish, choice)) continue
      if (choice.selection.isMajor) this.#majorOwed.delete(wish.store)
      const cells = cellsOf(choice)
      const end = this.#run(wish, choice, cells)
      this.#running.set(wish, { choice, cells, isLarge, isOffPeak: choice.isOffPeak, end })
    }
  }

  #isUrgent({ region, store, isByUser }: CompactionWish): boolean {
    return !isByUser && store.fileCount * URGENT_PART > this.#choice.rulesOf(region, store).blockingFiles
  }

  /** Undefined for what a client has asked for, too: that is of all files, and waits for the others. */
  #chooseBeside(wish: CompactionWish, beside: readonly CompactionChoice[]): CompactionChoice | undefined {
    if (wish.isByUser || wish.isMajor) return undefined
    const taken = beside.flatMap(({ selection }) => selection.files.map(({ shared }) => shared))
    return this.#choice.chooseBeside(wish, new Set(taken))
  }

  /** Whether it would fail as one before it did. Who asks for it may know better. */
  #isInVain({ isByUser }: CompactionWish, { isExpired, selection }: CompactionChoice): boolean {
    if (isByUser || isExpired) return false
    return selection.files.some(({ shared }) => this.#engine.storeFiles.spoilt.has(shared.run))
  }

  async #run(request: CompactionWish, choice: CompactionChoice, cells: CompactionCells): Promise<void> {
    // The caller notes the compaction as running first.
    await Promise.resolve()
    const { region, store } = request
    let isDone = false
    try {
      isDone = await this.#compact(request, choice, cells)
    } catch (error) {
      if (error instanceof InvariantError) this.#engine.wal.stop(error)
      if (!(error instanceof JobCancelled)) this.#fail(region, error)
    }
    this.#running.delete(request)
    if (isDone) {
      if (store.fileCount === 0) this.#emptied.add(store)
      else if (choice.selection.isOfAll) this.#emptied.delete(store)
      this.#compacted(region)
      if (choice.isExpired && request.isByUser) this.#add(request)
      else this.#requestIfNeeded(region, store)
    }
    this.#start()
  }

  #fail(region: Region, error: unknown): void {
    this.failedCompactions++
    this.#engine.log('error', `a compaction of region ${region.name.toString()} failed`, { error })
  }

  /** True if the store has other files now. */
  async #compact(
    { region, store }: CompactionWish,
    choice: CompactionChoice,
    cells: CompactionCells,
  ): Promise<boolean> {
    const { clock, log } = this.#engine
    const { selection, bytes } = choice
    const startedAt = clock.now()
    const begunMs = monotonicMs(clock)
    if (choice.isExpired) {
      await dropFiles(this.#engine, region, store, selection.files)
      return true
    }
    const name = region.name.toString()
    const progress = new Progress(
      clock,
      cells.total,
      (percent, cellsRead) =>
        log('info', `compacting region ${name}: ${percent} %`, { percent, cellsRead, cells: cells.total }),
      PROGRESS_MS,
    )
    const outcome = await compactFiles(this.#engine, {
      region,
      store,
      selection,
      time: { now: startedAt, readPoint: region.smallestReadPoint },
      purgeDeletesMs: choice.rules.purgeDeletesMs,
      isCancelled: () => this.#isClosed || !region.isOpen,
      onCells: (cellsRead) => {
        cells.read = cellsRead
        progress.reach(cellsRead)
      },
    })
    if (outcome === undefined) return false
    this.compactions++
    if (selection.isOfAll) this.majorCompactions++
    this.bytesRead += bytes
    this.bytesWritten += outcome.bytesWritten
    if (bytes >= LOGGED_BYTES) {
      const files = counted(selection.files.length, 'store file was', 'store files were')
      log('info', `${files} compacted in region ${name}`, {
        family: store.descriptor.name.toString(),
        files: selection.files.length,
        isOfAll: selection.isOfAll,
        bytesRead: bytes,
        ms: Math.round(monotonicMs(clock) - begunMs),
        ...outcome,
      })
    }
    return true
  }
}

function cellsOf({ isExpired, selection }: CompactionChoice): CompactionCells {
  return new CompactionCells(
    isExpired ? 0 : selection.files.reduce((sum, { shared }) => sum + shared.run.entryCount, 0),
  )
}
