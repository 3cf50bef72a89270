/** A store whose changes are made in small steps, with a model of its rows. */

import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { openScanner } from '../../../../src/gateway/scanner.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { MutationBatch, type RowOperation, type RowPart } from '../../../../src/model/mutation.ts'
import { ALL_VERSIONS, get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../../src/model/timestamp.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { TABLE } from '../store-under-test.ts'

export const CHANGES = [
  'put',
  'put in order',
  'increment',
  'delete newest',
  'delete row',
  'both rows',
  'checked',
] as const
export type ChangeKind = (typeof CHANGES)[number]
export type EventKind =
  | 'none'
  | 'read'
  | 'scan'
  | 'flush'
  | 'kill'
  | 'stop'
  | 'fail'
  | 'fail briefly'
  | 'split'
  | 'alter'
  | 'hang up'

const ROWS = ['a', 'b', 'c'].map((text) => Buffer.from(text))
const FAMILIES = ['f', 'g'].map((text) => Buffer.from(text))
const COLUMNS = [3, 0, 2, 1].map((number) => Buffer.from(`q${number}`))
const OPTIONS = { durability: 'USE_DEFAULT' } as const
const DESCRIPTOR = tableDescriptor(
  TABLE,
  FAMILIES.map((name) => familyDescriptor(name.toString(), [['VERSIONS', '1000']])),
)

/** The values of each row's columns, the newest last. */
type State = readonly (readonly number[])[]

interface Change {
  readonly apply: (state: State) => State
  /** Undefined while it is under way. */
  outcome: 'made' | 'unknown' | undefined
}

function on(row: number, apply: (versions: readonly number[]) => readonly number[]): (state: State) => State {
  return (state) => state.map((versions, index) => (index === row ? apply(versions) : versions))
}

const value8 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeInt32BE(value, 4)
  return bytes
}

function cells(row: Buffer, type: CellType, value: Buffer): CellBlockBuilder {
  const made = new CellBlockBuilder(256)
  for (const column of COLUMNS)
    for (const family of FAMILIES) made.append(row, family, column, LATEST_HIGH, LATEST_LOW, type, value)
  return made
}

const put = (row: Buffer, value: number): RowOperation => ({
  kind: 'mutate',
  cells: cells(row, CellType.Put, value8(value)).block(),
})

export class WideRows {
  readonly faults: string[] = []
  #store!: Store
  #fileSystem = new CrashableFileSystem()
  #ms = 0
  #value = 0
  #splits = 0
  /** In the order in which they were begun. */
  #changes: Change[] = []
  readonly #running = new Set<Promise<void>>()
  #hangUp = new AbortController()
  readonly #wideCost: number

  private constructor(wideCost: number) {
    this.#wideCost = wideCost
  }

  /** `wideCost`: see NativeOptions. */
  static async open(wideCost = 2): Promise<WideRows> {
    const rows = new WideRows(wideCost)
    rows.#store = await rows.#open(rows.#fileSystem)
    await rows.#store.catalog.createTable(DESCRIPTOR, [], OWN_CALL)
    return rows
  }

  #open(fileSystem: CrashableFileSystem): Promise<Store> {
    return openNativeStore({
      directory: '/s',
      fileSystem,
      // Each look at the clock is later than a turn, and no two changes have the same time.
      clock: { now: () => 1_700_000_000_000 + this.#ms++, monotonicMs: () => (this.#ms += 30) },
      random: () => 0.5,
      options: { poisonReleased: true, wideCost: this.#wideCost },
    })
  }

  async turns(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await new Promise(setImmediate)
  }

  /** Begins a change of the row, or of it and the next one. Changes of one row are made in the order in which they begin. */
  async begin(kind: ChangeKind, row: number): Promise<void> {
    // Changes of two rows may be overtaken at one row while they wait for the other.
    if (kind === 'both rows') await this.#settled()
    this.#begin(kind, row)
  }

  #begin(kind: ChangeKind, row: number): void {
    const value = (this.#value += 1000)
    const key = ROWS[row]!
    switch (kind) {
      case 'put':
        return this.#run(
          on(row, (versions) => [...versions, value]),
          (store, call) => this.#mutateRow(store, call, [put(key, value)], key),
        )
      case 'put in order':
        return this.#run(
          on(row, (versions) => [...versions, value]),
          (store, call) => this.#batch(store, call, cells(key, CellType.Put, value8(value))),
        )
      case 'increment':
        return this.#run(
          on(row, (versions) => [...versions, (versions.at(-1) ?? 0) + 1]),
          (store, call) =>
            this.#mutateRow(
              store,
              call,
              [{ kind: 'increment', cells: cells(key, CellType.Put, value8(1)).block() }],
              key,
            ),
        )
      case 'delete newest':
        return this.#run(
          on(row, (versions) => versions.slice(0, -1)),
          (store, call) => this.#batch(store, call, cells(key, CellType.Delete, Buffer.alloc(0))),
        )
      case 'delete row':
        return this.#run(
          on(row, () => []),
          (store, call) => this.#batch(store, call, new MutationBatch().deleteRow(key).cells),
        )
      case 'both rows': {
        const other = (row + 1) % ROWS.length
        const parts: RowPart[] = [row, other].map((index) => ({
          row: ROWS[index]!,
          operations: [put(ROWS[index]!, value)],
          options: OPTIONS,
        }))
        const add = (versions: readonly number[]): readonly number[] => [...versions, value]
        const apply = (state: State): State => on(other, add)(on(row, add)(state))
        return this.#run(
          apply,
          async (store, call) => void (await store.rows.mutateRows(TABLE, { parts }, call)),
        )
      }
      case 'checked': {
        const [family, qualifier] = [FAMILIES[0]!, COLUMNS[0]!]
        const condition = {
          kind: 'column',
          family,
          qualifier,
          operator: 'EQUAL',
          comparator: undefined,
        } as const
        const apply = on(row, (versions) => (versions.length === 0 ? [value] : versions))
        return this.#run(apply, async (store, call) => {
          await store.rows.mutateRow(
            TABLE,
            { row: key, condition, operations: [put(key, value)], options: OPTIONS },
            call,
          )
        })
      }
    }
  }

  async #mutateRow(
    store: Store,
    call: Call,
    operations: readonly RowOperation[],
    row: Buffer,
  ): Promise<void> {
    const { results } = await store.rows.mutateRow(TABLE, { row, operations, options: OPTIONS }, call)
    this.#checkUniform(cellsOf(results.cells), 'the answer of a change')
  }

  async #batch(store: Store, call: Call, made: CellBlockBuilder): Promise<void> {
    const batch = new MutationBatch()
    const at = batch.cells.reserve(made.length)
    made.buffer.copy(batch.cells.buffer, at, 0, made.length)
    batch.cells.length += made.length
    batch.endMutation()
    const [failure] = await store.rows.mutate(TABLE, batch, call)
    if (failure !== undefined) throw failure.error
  }

  #run(apply: (state: State) => State, send: (store: Store, call: Call) => Promise<void>): void {
    const change: Change = { apply, outcome: undefined }
    this.#changes.push(change)
    const running = send(this.#store, { ...OWN_CALL, signal: this.#hangUp.signal })
      .then(
        () => {
          change.outcome = 'made'
        },
        (error: unknown) => {
          if (!isHBaseError(error)) this.faults.push(`thrown: ${String(error)}`)
          change.outcome = 'unknown'
        },
      )
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async happens(event: EventKind): Promise<void> {
    const store = this.#store
    switch (event) {
      case 'none':
        return
      case 'read':
        for (const row of ROWS) this.#background(this.#read(store, row))
        return
      case 'scan':
        return this.#background(this.#scan(store))
      case 'flush':
        return this.#background(store.upkeep.flushes!.flushTable(TABLE, OWN_CALL))
      case 'kill':
        return this.#verify(this.#fileSystem.fork(), 'after a kill')
      case 'stop':
        await store.close()
        this.#store = await this.#open(this.#fileSystem)
        return
      case 'fail':
        return this.#failFor(2)
      case 'fail briefly':
        return this.#failFor(1)
      case 'split':
        if (this.#splits++ === 0)
          this.#background(store.upkeep.regions!.splitTable(TABLE, Buffer.from('b'), OWN_CALL))
        return
      case 'alter':
        return this.#background(store.catalog.modifyTable(DESCRIPTOR, OWN_CALL))
      case 'hang up':
        this.#hangUp.abort()
        this.#hangUp = new AbortController()
    }
  }

  async #failFor(turns: number): Promise<void> {
    this.#fileSystem.failAppends({ after: 0, writtenBytes: 0 })
    await this.turns(turns)
    this.#fileSystem.repair()
  }

  #background(work: Promise<unknown>): void {
    const running: Promise<void> = work
      .then(
        () => undefined,
        (error: unknown) => {
          if (!isHBaseError(error)) this.faults.push(`thrown: ${String(error)}`)
        },
      )
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Waits for all, and looks at what a read and the next start find. */
  async end(): Promise<void> {
    await this.#settled()
    await this.#check(this.#store, 'at the end')
    await this.#verify(this.#fileSystem.fork(), 'after a kill at the end')
    await this.#store.close()
    await this.#verify(this.#fileSystem.fork(), 'after a stop')
  }

  async #settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #verify(fileSystem: CrashableFileSystem, when: string): Promise<void> {
    // Changes that end from now on may be in these files or not.
    const possible = this.#possible()
    const store = await this.#open(fileSystem)
    await this.#check(store, when, possible)
    await store.close()
  }

  #possible(): ReadonlySet<string> {
    let states = new Map<string, State>([['', ROWS.map(() => [])]])
    for (const { apply, outcome } of this.#changes) {
      const next = new Map<string, State>()
      for (const state of states.values()) {
        if (outcome !== 'made') next.set(JSON.stringify(state), state)
        const applied = apply(state)
        next.set(JSON.stringify(applied), applied)
      }
      states = next
    }
    return new Set([...states.values()].map((state) => JSON.stringify(state)))
  }

  async #check(store: Store, when: string, possible = this.#possible()): Promise<void> {
    const found: number[][] = []
    for (const row of ROWS) found.push(await this.#read(store, row))
    if (!possible.has(JSON.stringify(found)))
      this.faults.push(`${when}: ${JSON.stringify(found)} is none of ${[...possible].join(' ')}`)
  }

  /** The values of each column of a row, the newest last. */
  async #read(store: Store, row: Buffer): Promise<number[]> {
    const read = await store.rows.get(
      TABLE,
      [get(row, { maxVersions: ALL_VERSIONS })],
      { bytes: 1 << 24 },
      OWN_CALL,
    )
    return this.#checkUniform(cellsOf(read.cells), `a read of ${row.toString()}`)
  }

  async #scan(store: Store): Promise<void> {
    const scanner = await openScanner(store, TABLE, scan({ maxVersions: ALL_VERSIONS }), OWN_CALL)
    for (let isOver = false; !isOver; ) {
      const { results, ended } = await scanner.next(
        { rows: 1, bytes: 1 << 20, allowPartial: false },
        OWN_CALL,
      )
      this.#checkUniform(cellsOf(gathered(results).cells), 'a scan')
      isOver = ended === 'scan'
    }
    await scanner.close()
  }

  #checkUniform(found: readonly CellParts[], from: string): number[] {
    const columns = new Map<string, number[]>()
    for (const { family, qualifier, value } of found) {
      const column = `${family.toString()}:${qualifier.toString()}`
      columns.set(column, [value.readInt32BE(4), ...(columns.get(column) ?? [])])
    }
    const [first = []] = columns.values()
    const isUniform = [...columns.values()].every(
      (values) => JSON.stringify(values) === JSON.stringify(first),
    )
    const isWhole = columns.size === 0 || columns.size === COLUMNS.length * FAMILIES.length
    if (!isUniform || !isWhole)
      this.faults.push(`${from} found part of a change: ${JSON.stringify([...columns])}`)
    return first
  }
}
