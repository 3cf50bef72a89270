/**
 * Random changes of a small table, and crashes at random moments. After each restart the store must hold what the plain
 * memory store holds after all changes up to some point: at least those that were acknowledged, each whole, each once.
 * A batch of rows of several regions is as many changes, as in HBase.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import type { NativeOptions } from '../../../adapters/native/native-options.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { type Durability, MutationBatch, type RowMutation } from '../../../src/model/mutation.ts'
import { ALL_VERSIONS, scan } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import type { Store } from '../../../src/store.ts'
import { CrashableFileSystem } from './platform/crashable-file-system.ts'

/**
 * More where one hunts: SIMULATION_RUNS=2000 npx vitest run test/adapters/native/crash-simulation.test.ts. A failure prints
 * its seed, which SIMULATION_SEED takes.
 */
const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 20)
const SEED = process.env['SIMULATION_SEED']
const PARAMETERS: { numRuns: number; seed?: number } = {
  numRuns: RUNS,
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
}
const TABLE = parseTableName('t')
const DESCRIPTOR = tableDescriptor(TABLE, [
  familyDescriptor('f', [['VERSIONS', '3']]),
  familyDescriptor('g', [['KEEP_DELETED_CELLS', 'TRUE']]),
])
const SPLIT_ROW = 'm'
const SPLITS = [Buffer.from(SPLIT_ROW)]
const LIMITS = { rows: 1000, bytes: 1 << 24, allowPartial: false }
const NOW = 1_700_000_000_000
const CLOCK = { now: (): number => NOW }

interface Column {
  readonly row: string
  readonly family: string
  readonly qualifier: string
}

type Change =
  | { kind: 'put' | 'delete-version' | 'delete-column'; at: Column; time: bigint; durability: Durability }
  | { kind: 'delete-row'; at: Column; time: bigint; durability: Durability }
  | { kind: 'increment' | 'append'; at: Column; time: bigint; durability: Durability }
  | { kind: 'batch'; rows: string[]; time: bigint; durability: Durability }

type Ending = 'kill' | 'power' | 'full disk' | 'close'

interface Life {
  /** Changes that are made without waiting for one another. */
  readonly bursts: Change[][]
  /** After which bursts the table is flushed. */
  readonly flushes: number[]
  readonly last: Change[]
  /** Turns of the event loop between the last burst and the end. */
  readonly turns: number
  readonly ending: Ending
  readonly failAfter: number
  readonly random: number
}

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
    return store.mutate(TABLE, batch)
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
      return store.mutateRow(TABLE, delta(change.kind, change.at, durability, value))
  }
  batch.endMutation({ durability })
  return store.mutate(TABLE, batch)
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

/** What a crash leaves whole or not at all: of a batch, the rows of each region, in the order in which it names them. */
function partsOf(change: Change): Change[] {
  if (change.kind !== 'batch') return [change]
  const first = change.rows.filter((row) => row < SPLIT_ROW)
  const second = change.rows.filter((row) => row >= SPLIT_ROW)
  const ordered = change.rows[0]! < SPLIT_ROW ? [first, second] : [second, first]
  return ordered.filter((rows) => rows.length > 0).map((rows) => ({ ...change, rows }))
}

async function dump(store: Store): Promise<string[]> {
  const found: string[] = []
  for (const raw of [false, true]) {
    const scanner = await store.openScanner(TABLE, scan({ raw, maxVersions: ALL_VERSIONS }))
    for (let more = true; more; ) {
      const batch = await scanner.next(LIMITS)
      for (const { row, family, qualifier, timestamp, type, value } of cellsOf(batch.results.cells)) {
        const place = [row, family, qualifier].map((part) => part.toString()).join('/')
        found.push(`${raw ? 'raw ' : ''}${place}@${timestamp}#${type}=${value.toString('latin1')}`)
      }
      more = batch.more
    }
    await scanner.close()
  }
  return found
}

async function expected(changes: readonly { change: Change; number: number }[]): Promise<string[]> {
  const model = openMemoryStore({ clock: CLOCK })
  await model.createTable(DESCRIPTOR, SPLITS)
  for (const { change, number } of changes) await apply(model, change, number)
  return dump(model)
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const anyColumn: fc.Arbitrary<Column> = fc.record({
  row: fc.constantFrom('a', 'b', 'm', 'z'),
  family: fc.constantFrom('f', 'g'),
  qualifier: fc.constantFrom('p', 'q'),
})

function anyChange(durabilities: readonly Durability[]): fc.Arbitrary<Change> {
  const time = fc.constantFrom(1n, 2n, 3n, LATEST_TIMESTAMP)
  const durability = fc.constantFrom(...durabilities)
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('put' as const), at: anyColumn, time, durability }),
    },
    fc.record({
      kind: fc.constantFrom('delete-version' as const, 'delete-column' as const, 'delete-row' as const),
      at: anyColumn,
      time,
      durability,
    }),
    fc.record({
      kind: fc.constantFrom('increment' as const, 'append' as const),
      at: anyColumn,
      time,
      durability,
    }),
    fc.record({
      kind: fc.constant('batch' as const),
      rows: fc.uniqueArray(fc.constantFrom('a', 'b', 'l', 'm', 'z'), { minLength: 1 }),
      time,
      durability,
    }),
  )
}

function anyLife(endings: readonly Ending[], durabilities: readonly Durability[]): fc.Arbitrary<Life> {
  const burst = fc.array(anyChange(durabilities), { minLength: 1, maxLength: 4 })
  return fc.record({
    bursts: fc.array(burst, { maxLength: 5 }),
    flushes: fc.array(fc.nat({ max: 4 }), { maxLength: 2 }),
    last: fc.array(anyChange(durabilities), { maxLength: 4 }),
    turns: fc.nat({ max: 3 }),
    ending: fc.constantFrom(...endings),
    failAfter: fc.nat({ max: 3 }),
    random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })
}

/** A change, or the part of one that is in one region. */
interface Issued {
  readonly change: Change
  readonly number: number
}

/** A store with what is known of its changes across its lives. */
class Simulation {
  fileSystem = new CrashableFileSystem()
  store!: Store
  /** All that was asked for and is not known to be lost, oldest first. */
  issued: Issued[] = []
  /** So many of them were acknowledged, at least; or survive a power loss. */
  acknowledged = 0
  durable = 0
  #number = 0
  readonly #options: Partial<NativeOptions>

  constructor(options: Partial<NativeOptions>) {
    this.#options = options
  }

  async open(): Promise<void> {
    const { fileSystem } = this
    const config = { directory: '/s', fileSystem, clock: CLOCK, random: Math.random, options: this.#options }
    this.store = await openNativeStore(config)
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
      if (life.flushes.includes(index)) {
        await this.store.flushTable(TABLE)
        this.durable = this.issued.length
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
    this.#crash(life)
    // What the dead process still did must not count.
    const { acknowledged, durable } = this
    await last
    this.acknowledged = acknowledged
    this.durable = durable
  }

  #crash(life: Life): void {
    const isPowerLoss = life.ending === 'power'
    this.fileSystem = isPowerLoss ? this.fileSystem.powerLost(() => life.random) : this.fileSystem.killed()
    if (isPowerLoss) this.acknowledged = this.durable
  }

  /** Which changes are there: all up to one that is not before the last that was promised. */
  async settle(): Promise<void> {
    const found = await dump(this.store)
    for (let kept = this.issued.length; kept >= this.acknowledged; kept--) {
      const candidate = this.issued.slice(0, kept)
      const model = await expected(candidate)
      if (model.join('\n') !== found.join('\n')) continue
      this.issued = candidate
      this.acknowledged = kept
      return
    }
    expect(found).toEqual(await expected(this.issued.slice(0, this.acknowledged)))
  }
}

async function simulate(lives: readonly Life[], options: Partial<NativeOptions>): Promise<void> {
  const simulation = new Simulation(options)
  await simulation.open()
  await simulation.store.createTable(DESCRIPTOR, SPLITS)
  for (const life of lives) {
    await simulation.live(life)
    await simulation.open()
    await simulation.settle()
  }
  await simulation.store.close()
}

describe('a store that crashes', () => {
  it('keeps what it acknowledged, after kills, full disks and closes, while it flushes by itself', async () => {
    const lives = fc.array(
      anyLife(['kill', 'kill', 'full disk', 'close'], ['USE_DEFAULT', 'ASYNC_WAL', 'FSYNC_WAL']),
      { minLength: 1, maxLength: 4 },
    )
    const options = { flushBytes: 4000, wal: { logBytesMax: 700, syncEveryBytes: 200 } }
    await fc.assert(
      fc.asyncProperty(lives, (drawn) => simulate(drawn, options)),
      PARAMETERS,
    )
  })

  it('keeps what it said is on disk, after power losses', async () => {
    const lives = fc.array(anyLife(['power', 'power', 'kill'], ['SYNC_WAL', 'FSYNC_WAL']), {
      minLength: 1,
      maxLength: 4,
    })
    const options = { wal: { logBytesMax: 900, syncEveryBytes: 400 } }
    await fc.assert(
      fc.asyncProperty(lives, (drawn) => simulate(drawn, options)),
      PARAMETERS,
    )
  })
})
