/** A store that lives through changes and crashes, and a check of its cells after each restart. */

import { expect } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../adapters/native/options/compaction-options.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import type { NativeLog } from '../../../adapters/native/platform/native-log.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { type Durability, MutationBatch, type RowMutation } from '../../../src/model/mutation.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { SimRandom } from '../../harness/simulation/sim-random.ts'
import { dumpTable } from '../../harness/simulation/sim-world.ts'
import { compactTable } from '../../store/suite/store-under-test.ts'
import type { Change, Column, Life } from './simulated-life.ts'

export const SIMULATED_TABLE: TableName = parseTableName('t')
const TABLE = SIMULATED_TABLE
/** Families that keep all: the changes that a store has can then be told from its cells, whenever it has flushed. */
const DESCRIPTOR = tableDescriptor(
  TABLE,
  ['f', 'g'].map((name) =>
    familyDescriptor(name, [
      ['VERSIONS', '1000'],
      ['KEEP_DELETED_CELLS', 'TRUE'],
    ]),
  ),
)
const SPLIT_ROW = 'm'
const SPLITS = [Buffer.from(SPLIT_ROW)]
const NOW = 1_700_000_000_000
const CLOCK = { now: (): number => NOW }

const bytes = (text: string): Buffer => Buffer.from(text)

function apply(store: Store, change: Change, number: number): Promise<unknown> {
  const { durability, time } = change
  const value = bytes(`v${number}`)
  const batch = new MutationBatch()
  if (change.kind === 'batch') {
    for (const row of change.rows) {
      batch.put(bytes(row), bytes('f'), bytes('b'), value, time)
      batch.put(bytes(row), bytes('g'), bytes('b'), value, time).endMutation({ durability })
    }
    return store.rows.mutate(TABLE, batch, OWN_CALL)
  }
  const { row, family, qualifier } = change.at
  const at = [bytes(row), bytes(family), bytes(qualifier)] as const
  switch (change.kind) {
    case 'put':
      batch.put(...at, value, time)
      break
    case 'delete-version':
      batch.deleteVersion(...at, time)
      break
    case 'delete-column':
      batch.deleteColumn(...at, time)
      break
    case 'delete-row':
      batch.deleteRow(bytes(row), time)
      break
    case 'increment':
    case 'append':
      return store.rows.mutateRow(TABLE, delta(change.kind, change.at, durability, value), OWN_CALL)
  }
  batch.endMutation({ durability })
  return store.rows.mutate(TABLE, batch, OWN_CALL)
}

function delta(kind: 'increment' | 'append', at: Column, durability: Durability, text: Buffer): RowMutation {
  const amount = Buffer.alloc(8)
  amount.writeBigInt64BE(1n)
  // Counters have a column of their own: they hold 8 bytes.
  const qualifier = bytes(kind === 'increment' ? 'n' : 'a')
  const cells = blockOf([
    {
      row: bytes(at.row),
      family: bytes(at.family),
      qualifier,
      timestamp: LATEST_TIMESTAMP,
      type: CellType.Put,
      value: kind === 'increment' ? amount : text,
    },
  ])
  return { row: bytes(at.row), operations: [{ kind, cells }], options: { durability } }
}

/** The parts of a change that a crash leaves whole or not at all: a batch has one for each region, in the batch's order. */
function partsOf(change: Change): Change[] {
  if (change.kind !== 'batch') return [change]
  const first = change.rows.filter((row) => row < SPLIT_ROW)
  const second = change.rows.filter((row) => row >= SPLIT_ROW)
  const ordered = change.rows[0]! < SPLIT_ROW ? [first, second] : [second, first]
  return ordered.filter((rows) => rows.length > 0).map((rows) => ({ ...change, rows }))
}

async function expected(changes: readonly { change: Change; number: number }[]): Promise<string[]> {
  const model = openMemoryStore({ clock: CLOCK })
  await model.catalog.createTable(DESCRIPTOR, SPLITS, OWN_CALL)
  for (const { change, number } of changes) await apply(model, change, number)
  return dumpTable(model, TABLE)
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A change, or the part of one that is in one region. */
interface Issued {
  readonly change: Change
  readonly number: number
}

/** A store and the known outcomes of its changes across its lives. */
export class Simulation {
  fileSystem: CrashableFileSystem = new CrashableFileSystem()
  store!: Store
  /** The store's id in its first life. */
  clusterId: string | undefined
  /** All changes that are not known to be lost, oldest first. */
  issued: Issued[] = []
  /** Least number of them that were acknowledged; `durable`: that survive a power loss. */
  acknowledged = 0
  durable = 0
  /** What the last start told at level error. */
  errors: string[] = []
  #number = 0
  /** Has the store look at the clock. */
  #wake: () => void = () => undefined
  readonly #options: Partial<NativeOptions>

  constructor(options: Partial<NativeOptions>) {
    this.#options = options
    this.fileSystem.blockBytes = 64
  }

  async open(): Promise<void> {
    const { fileSystem } = this
    // Tombstones stay too, for the sake of the comparison.
    const compaction = { ...DEFAULT_COMPACTION_OPTIONS, purgeDeletesMs: 1e15 }
    const options = { poisonReleased: true, compaction, ...this.#options }
    // A list of its own: a compaction of the killed store may yet fail.
    const errors: string[] = []
    this.errors = errors
    const log: NativeLog = (level, message) => void (level === 'error' && errors.push(message))
    const wakeUps = (wake: () => void): (() => void) => {
      this.#wake = wake
      return () => undefined
    }
    const config = { directory: '/s', fileSystem, clock: CLOCK, random: Math.random, options, log, wakeUps }
    this.store = await openNativeStore(config)
    const id = await this.store.clusterId()
    this.clusterId ??= id
    expect(id).toBe(this.clusterId)
  }

  issue(changes: readonly Change[]): Promise<unknown>[] {
    return changes.map(async (change) => {
      const number = this.#number++
      for (const part of partsOf(change)) this.issued.push({ change: part, number })
      const position = this.issued.length
      await apply(this.store, change, number)
      this.acknowledged = Math.max(this.acknowledged, position)
      if (change.durability === 'FSYNC_WAL') this.durable = Math.max(this.durable, position)
    })
  }

  async live(life: Life): Promise<void> {
    for (const [index, burst] of life.bursts.entries()) {
      await Promise.all(this.issue(burst))
      this.#wake()
      if (life.flushes.includes(index)) {
        await this.store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
        this.durable = this.issued.length
      }
      for (const { burst, isAwaited } of life.compactions) {
        if (burst !== index) continue
        if (isAwaited) await compactTable(this.store, TABLE, { major: true })
        else await this.store.upkeep.compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
      }
    }
    if (life.ending === 'full disk') {
      this.fileSystem.failAppends({ after: life.failAfter, writtenBytes: Math.floor(life.random * 60) })
    }
    const last = Promise.allSettled(this.issue(life.last))
    if (life.ending === 'close') {
      await last
      await this.store.close()
      this.durable = this.issued.length
      return
    }
    for (let i = 0; i < life.turns; i++) await turn()
    this.crash(life)
    // The acts of the dead process must not count.
    const { acknowledged, durable } = this
    await last
    this.acknowledged = acknowledged
    this.durable = durable
  }

  /** Kills the process, or cuts its power. */
  crash(life: Pick<Life, 'ending' | 'random'>): void {
    const isPowerLoss = life.ending === 'power'
    const random = new SimRandom(Math.floor(life.random * 0x1_0000_0000)).next
    this.fileSystem = isPowerLoss ? this.fileSystem.powerLost(random) : this.fileSystem.killed()
    if (isPowerLoss) this.acknowledged = this.durable
  }

  createTable(): Promise<void> {
    return this.store.catalog.createTable(DESCRIPTOR, SPLITS, OWN_CALL)
  }

  cells(table?: TableName): Promise<string[]> {
    return dumpTable(this.store, table ?? TABLE)
  }

  /** The number of changes that come to these cells, at least `least`; undefined if no number does. */
  async keptOf(found: readonly string[], least: number): Promise<number | undefined> {
    for (let kept = this.issued.length; kept >= least; kept--) {
      const model = await expected(this.issued.slice(0, kept))
      if (model.join('\n') === found.join('\n')) return kept
    }
    return undefined
  }

  /** Finds the changes that the store has: all up to some point, which must include the last promised one. */
  async settle(): Promise<void> {
    const found = await this.cells()
    const kept = await this.keptOf(found, this.acknowledged)
    if (kept === undefined) {
      expect(found).toEqual(await expected(this.issued.slice(0, this.acknowledged)))
      return
    }
    this.issued = this.issued.slice(0, kept)
    this.acknowledged = kept
  }
}

export async function simulate(lives: readonly Life[], options: Partial<NativeOptions>): Promise<void> {
  const simulation = new Simulation(options)
  await simulation.open()
  await simulation.createTable()
  for (const life of lives) {
    await simulation.live(life)
    await simulation.open()
    await simulation.settle()
  }
  await simulation.store.close()
}
