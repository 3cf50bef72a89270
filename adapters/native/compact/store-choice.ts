import type { FamilyDescriptor, TableDescriptor } from '../../../src/model/descriptor.ts'
import type { Engine } from '../engine/engine.ts'
import type { FamilyStore } from '../region/family-store.ts'
import { hasHalves } from '../region/half-files.ts'
import type { Region } from '../region/region.ts'
import type { Selection } from './candidate-file.ts'
import {
  type CompactionRules,
  compactionRules,
  isCompactionEnabled,
  offPeakRules,
} from './compaction-rules.ts'
import { type CompactableFile, compactableFiles } from './file-compaction.ts'
import { expiredFiles, selectBeside, selectFiles } from './file-selection.ts'

/** A compaction that was asked for. */
export interface CompactionWish {
  readonly region: Region
  readonly store: FamilyStore
  readonly isByUser: boolean
  readonly isMajor: boolean
}

/** The files that a store's next compaction is of. */
export interface CompactionChoice {
  readonly selection: Selection<CompactableFile>
  readonly rules: CompactionRules
  readonly bytes: number
  /** Whether it is of files that only go together off-peak. */
  readonly isOffPeak: boolean
  /** All its cells have expired: its files go as they are. */
  readonly isExpired: boolean
}

interface KnownRules {
  readonly table: TableDescriptor
  readonly flushBytes: number
  readonly rules: CompactionRules
}

/** Chooses the files of compactions by the rules of their stores. */
export class StoreChoice {
  readonly #engine: Engine
  /** Regions of a table share its descriptors: to read the settings anew for each would take most of a look at all of them. */
  readonly #known = new WeakMap<FamilyDescriptor, KnownRules>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  rulesOf(region: Region, { descriptor }: FamilyStore): CompactionRules {
    const { options, limits } = this.#engine
    const { table } = region
    const flushBytes = limits.flushBytesOf(region)
    const known = this.#known.get(descriptor)
    if (known?.table === table && known.flushBytes === flushBytes) return known.rules
    const rules = compactionRules(options.compaction, table, descriptor, flushBytes)
    this.#known.set(descriptor, { table, flushBytes, rules })
    return rules
  }

  /** Undefined where there is nothing to compact. */
  choose(wish: CompactionWish, mayUseOffPeak: boolean): CompactionChoice | undefined {
    const { region, store, isByUser, isMajor } = wish
    const files = region.isOpen ? compactableFiles(store) : undefined
    if (files === undefined) return undefined
    const normal = this.rulesOf(region, store)
    const rules = mayUseOffPeak ? offPeakRules(normal) : normal
    const expiredBefore = this.#expiredBefore(store)
    const expired = rules.dropsExpiredFiles ? expiredFiles(files, expiredBefore) : []
    const request = { isByUser, major: isMajor, now: this.#engine.clock.now(), expiredBefore }
    // They go first; what is left to compact is looked for again then.
    const selection =
      expired.length > 0
        ? { files: expired, isOfAll: false, isMajor: false }
        : selectFiles(files, rules, request)
    if (selection === undefined) return undefined
    return {
      selection,
      rules,
      bytes: bytesOf(selection),
      isOffPeak: mayUseOffPeak && !selection.isOfAll,
      isExpired: expired.length > 0,
    }
  }

  /**
   * Files for another compaction of a store beside those under way, which have `taken`. Where a large one takes minutes, flushes would else
   * make so many files meanwhile that writers had to wait for its end.
   */
  chooseBeside(
    { region, store }: CompactionWish,
    taken: ReadonlySet<CompactableFile['shared']>,
  ): CompactionChoice | undefined {
    const rules = this.rulesOf(region, store)
    const files = region.isOpen && rules.choice === 'by size' ? compactableFiles(store) : undefined
    const selection = files && selectBeside(files, ({ shared }) => taken.has(shared), rules)
    if (selection === undefined) return undefined
    return { selection, rules, bytes: bytesOf(selection), isOffPeak: false, isExpired: false }
  }

  /** Whether the store's files have become so many that it is looked for a compaction. */
  isNeeded(region: Region, store: FamilyStore): boolean {
    if (hasHalves(store)) return true
    const rules = this.rulesOf(region, store)
    if (rules.choice === 'by size') return store.fileCount >= rules.filesMin
    return this.choose({ region, store, isByUser: false, isMajor: false }, false) !== undefined
  }

  /** Undefined where no cell expires, or some are kept nevertheless. */
  #expiredBefore({ rules }: FamilyStore): bigint | undefined {
    const { timeToLiveMs, minVersions } = rules
    if (timeToLiveMs === Number.POSITIVE_INFINITY || minVersions > 0) return undefined
    return BigInt(this.#engine.clock.now() - timeToLiveMs)
  }

  /** A store of the region whose files are too many for another flush. */
  blockedStore(region: Region): FamilyStore | undefined {
    if (!isCompactionEnabled(region.table)) return undefined
    return region.stores.find((store) => store.fileCount > this.rulesOf(region, store).blockingFiles)
  }

  /** 0 while compactions keep up, 1 where flushes are about to wait for them. HBase: HStore.getCompactionPressure. */
  pressureOf(region: Region): number {
    let pressure = 0
    for (const store of region.stores) {
      const { filesMin, blockingFiles } = this.rulesOf(region, store)
      if (store.fileCount > filesMin)
        pressure = Math.max(pressure, (store.fileCount - filesMin) / Math.max(1, blockingFiles - filesMin))
    }
    return pressure
  }
}

function bytesOf({ files }: Selection<CompactableFile>): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
