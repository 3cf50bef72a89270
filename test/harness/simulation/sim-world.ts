/**
 * A store on a file system that crashes, and what is known of its changes: some prefix of all changes must be what it has,
 * no shorter than what it has promised.
 */

import { strict as assert } from 'node:assert'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../adapters/native/options/compaction-options.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import type { NativeLog } from '../../../adapters/native/platform/native-log.ts'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import {
  type FamilyDescriptor,
  familyDescriptor,
  type TableDescriptor,
  tableDescriptor,
} from '../../../src/model/descriptor.ts'
import type { Durability } from '../../../src/model/mutation.ts'
import { ALL_VERSIONS, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { openReadBeside } from '../readers/reader-of-store.ts'
import { CrashableFileSystem, type PlantedBug } from './crashable-file-system.ts'
import { anyChange, FAMILIES, makeChange, partsOf, type SimAct } from './sim-changes.ts'
import { SimRandom } from './sim-random.ts'
import type { SimSnapshot } from './sim-tables.ts'

export const SIM_TABLE: TableName = parseTableName('t')
export const SIM_DIRECTORY = '/s'
const LIMITS = { rows: 1000, bytes: 1 << 24, allowPartial: false }
const DURABILITIES: readonly Durability[] = ['USE_DEFAULT', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL', 'FSYNC_WAL']

export class SimWorld {
  readonly random: SimRandom
  fileSystem: CrashableFileSystem
  store!: Store
  now = 1_700_000_000_000
  /** Where the regions begin: operations that split or merge keep it true. */
  startKeys: readonly string[] = ['', 'm']
  /** The table's, as operations that alter it keep them. */
  families: readonly FamilyDescriptor[]
  /** Those that the store has, by name. */
  readonly snapshots: Map<string, SimSnapshot> = new Map()
  /** What the store has told at level error since its last start. */
  errors: string[] = []
  /** How often the table has come to another history: not all of the present one is in the log. */
  histories = 0
  /** All parts of changes that are not known to be lost, oldest first. */
  #issued: SimAct[] = []
  /** How many of them, at least, survive a kill, and a power loss. */
  #acknowledged = 0
  #durable = 0
  #number = 0
  /** How many lives the store has had: acts of a killed one do not count. */
  #life = 0
  readonly #descriptor: TableDescriptor
  readonly #options: Partial<NativeOptions>
  /** Whether its reads are a reader's, which has only what the engine shows it. */
  readonly #isReadBeside: boolean

  constructor(seed: number, bug?: PlantedBug) {
    this.random = new SimRandom(seed)
    this.#isReadBeside = seed % 2 === 1
    this.fileSystem = new CrashableFileSystem()
    this.fileSystem.plantedBug = bug
    this.fileSystem.blockBytes = this.random.of([16, 64, 512, 4096])
    this.#descriptor = anyDescriptor(this.random)
    this.families = this.#descriptor.families
    this.#options = anyOptions(this.random)
  }

  async begin(): Promise<void> {
    await this.open()
    const splits = this.startKeys.slice(1).map((key) => Buffer.from(key))
    await this.store.catalog.createTable(this.#descriptor, splits, OWN_CALL)
  }

  async open(): Promise<void> {
    this.#life++
    // A list of its own: a compaction of the killed store may yet fail.
    const errors: string[] = []
    this.errors = errors
    const log: NativeLog = (level, message) => void (level === 'error' && errors.push(message))
    const { fileSystem, random } = this
    const clock = { now: (): number => this.now }
    const options = this.#options
    this.store = await (this.#isReadBeside ? openReadBeside : openNativeStore)({
      directory: SIM_DIRECTORY,
      fileSystem,
      clock,
      random: random.next,
      options,
      log,
    })
  }

  /** Makes changes without waiting for one another. `outcome` resolves once all have one; what was refused is no error. */
  burst(size: number): { outcome: Promise<unknown> } {
    const life = this.#life
    const names = this.families.map(({ name }) => name.toString())
    const outcomes = Array.from({ length: size }, async () => {
      const change = anyChange(this.random, names, DURABILITIES, this.takeNumber(), this.now)
      this.#issued.push(...partsOf(change, this.startKeys))
      const position = this.#issued.length
      await makeChange(this.store, SIM_TABLE, change)
      if (life !== this.#life) return
      this.#acknowledged = Math.max(this.#acknowledged, position)
      if (change.durability === 'FSYNC_WAL') this.#durable = Math.max(this.#durable, position)
    })
    return { outcome: Promise.allSettled(outcomes) }
  }

  /** All changes so far are on disk: after a flush of the table, or a clean stop. */
  everythingIsDurable(): void {
    this.#acknowledged = this.#issued.length
    this.#durable = this.#issued.length
  }

  /** How many of all acts have been answered, or came before one that was. */
  get acknowledged(): number {
    return this.#acknowledged
  }

  /** All acts that are not known to be lost. */
  get history(): readonly SimAct[] {
    return [...this.#issued]
  }

  /** The table has come to another history, all of it on disk. */
  goTo(history: readonly SimAct[]): void {
    this.#issued = [...history]
    this.histories++
    this.everythingIsDurable()
  }

  /** Names a change or a snapshot. */
  takeNumber(): number {
    return this.#number++
  }

  kill(): void {
    this.#life++
    this.fileSystem = this.fileSystem.killed()
  }

  losePower(): void {
    this.#life++
    this.fileSystem = this.fileSystem.powerLost(this.random.next)
    this.#acknowledged = this.#durable
  }

  /**
   * Finds the changes that the store has: all up to some point, which must include the last promised one. `least`: the
   * fewest that it may have; those behind the point that is found are lost.
   */
  async settle(least: number = this.#acknowledged): Promise<void> {
    const found = await dumpTable(this.store)
    const kept = await this.prefixOf(found, least)
    if (kept === undefined) return this.#explain(found, least)
    this.#issued = this.#issued.slice(0, kept)
    this.#acknowledged = this.#issued.length
    this.#durable = Math.min(this.#durable, this.#issued.length)
  }

  /** Throws. */
  async #explain(found: readonly string[], least: number): Promise<void> {
    const fewer = await this.prefixOf(found, 0)
    const last = this.#issued.slice(-8).map(actText)
    const state = `of ${this.#issued.length} changes ${least} were promised, and it has ${fewer ?? 'no prefix'}; the last ones: ${last.join(', ')}`
    assert.deepEqual(found, await this.cellsAfter(this.#issued.slice(0, least)), state)
  }

  /** As settle, where all changes have been answered, none of them with a refusal. */
  settleAll(): Promise<void> {
    return this.settle(this.#issued.length)
  }

  /** How many changes come to these cells: at least `least`; undefined if no number does. */
  async prefixOf(
    found: readonly string[],
    least: number,
    isMeant: (line: string) => boolean = () => true,
  ): Promise<number | undefined> {
    const model = await this.#model()
    const text = found.filter(isMeant).join('\n')
    for (let count = 0; count <= this.#issued.length; count++) {
      if (count > 0) await model.make(this.#issued[count - 1]!)
      if (count < least) continue
      const cells = await model.cells()
      if (cells.filter(isMeant).join('\n') === text) return count
    }
    return undefined
  }

  /**
   * Whether each region has its changes up to some point, at least the first `least`: a log that was cut need not cost all
   * regions the same, and they are flushed by themselves.
   */
  async hasPrefixes(
    found: readonly string[],
    least = 0,
    isMeant: (line: string) => boolean = () => true,
  ): Promise<boolean> {
    for (const [index, startKey] of this.startKeys.entries()) {
      const endKey = this.startKeys[index + 1] ?? '~'
      const isOfRegion = (line: string): boolean => {
        const row = line.replace(/^raw /, '').split('/')[0]!
        return row >= startKey && row < endKey && isMeant(line)
      }
      if ((await this.prefixOf(found, least, isOfRegion)) === undefined) return false
    }
    return true
  }

  /** The cells of a table with this history. */
  async cellsAfter(history: readonly SimAct[]): Promise<string[]> {
    const model = await this.#model()
    for (const act of history) await model.make(act)
    return model.cells()
  }

  async #model(): Promise<{ make: (act: SimAct) => Promise<void>; cells: () => Promise<string[]> }> {
    let now = this.now
    const store = openMemoryStore({ clock: { now: () => now } })
    await store.catalog.createTable(this.#descriptor, [], OWN_CALL)
    const make = (change: SimAct): Promise<void> => {
      now = change.now
      return makeChange(store, SIM_TABLE, change)
    }
    return { make, cells: () => dumpTable(store) }
  }
}

function actText(act: SimAct): string {
  if (act.kind === 'alter') return 'alter'
  return `${act.number}: ${act.kind} ${act.rows.join('')} ${act.durability}`
}

/** Families that keep all: the changes that a store has can then be told from its cells, whenever it has flushed. */
function anyDescriptor(random: SimRandom): TableDescriptor {
  const families = FAMILIES.map((name) =>
    familyDescriptor(name, [
      ['VERSIONS', '1000'],
      ['KEEP_DELETED_CELLS', 'TRUE'],
      ['BLOOMFILTER', random.of(['NONE', 'ROW', 'ROWCOL'])],
      ['COMPRESSION', random.of(['NONE', 'GZ'])],
      ['BLOCKSIZE', random.of(['1024', '65536'])],
      ['REPLICATION_SCOPE', name === 'f' ? '1' : random.of(['0', '1'])],
    ]),
  )
  return tableDescriptor(SIM_TABLE, families)
}

function anyOptions(random: SimRandom): Partial<NativeOptions> {
  const isSmall = random.chance(0.5)
  return {
    poisonReleased: true,
    // The history does not know of changes that a busy region refuses: an index that readers see takes more memory.
    blockMultiplier: 100,
    // Tombstones stay, for the sake of the comparison.
    compaction: { ...DEFAULT_COMPACTION_OPTIONS, purgeDeletesMs: 1e15 },
    wal: { logBytesMax: random.of([400, 900, 1 << 20]), syncEveryBytes: random.of([100, 400, 1 << 20]) },
    ...(isSmall ? { flushBytes: random.of([2000, 4000, 16_000]) } : {}),
    ...(random.chance(0.3) ? { blockCacheBytes: 0 } : {}),
    changesKeepBytes: random.of([0, 300, 1 << 20]),
  }
}

/** All cells of the table as text: as reads return them, then with tombstones. */
export async function dumpTable(store: Store, table: TableName = SIM_TABLE): Promise<string[]> {
  const found: string[] = []
  for (const raw of [false, true]) {
    const scanner = await openScanner(store, table, scan({ raw, maxVersions: ALL_VERSIONS }), OWN_CALL)
    for (let isOver = false; !isOver; ) {
      const batch = await scanner.next(LIMITS, OWN_CALL)
      for (const cell of cellsOf(gathered(batch.results).cells)) {
        const place = [cell.row, cell.family, cell.qualifier].map((part) => part.toString()).join('/')
        found.push(
          `${raw ? 'raw ' : ''}${place}@${cell.timestamp}#${cell.type}=${cell.value.toString('latin1')}`,
        )
      }
      isOver = batch.ended === 'scan'
    }
    await scanner.close()
  }
  return found
}
