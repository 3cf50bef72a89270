/** A store whose changes are made in small steps, with a model of its rows. */

import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import type { CellParts } from '../../../../src/model/cell.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { ALL_VERSIONS, get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { TABLE } from '../store-under-test.ts'
import {
  type ChangeKind,
  COLUMNS,
  FAMILIES,
  ROWS,
  type RowChange,
  rowChange,
  type State,
} from './wide-row-changes.ts'

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

const DESCRIPTOR = tableDescriptor(
  TABLE,
  FAMILIES.map((name) => familyDescriptor(name.toString(), [['VERSIONS', '1000']])),
)

interface Change {
  readonly apply: RowChange['apply']
  /** Undefined while it is under way. */
  outcome: 'made' | 'unknown' | undefined
}

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
    if (kind === 'both rows') await this.settled()
    this.#begin(kind, row)
  }

  #begin(kind: ChangeKind, row: number): void {
    const { apply, send } = rowChange(kind, row, (this.#value += 1000))
    this.#run(apply, async (store, call) => {
      this.#checkUniform(await send(store, call), 'the answer of a change')
    })
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
    await this.settled()
    await this.#check(this.#store, 'at the end')
    await this.#verify(this.#fileSystem.fork(), 'after a kill at the end')
    await this.#store.close()
    await this.#verify(this.#fileSystem.fork(), 'after a stop')
  }

  /** Resolves once no change, read or flush is under way. */
  async settled(): Promise<void> {
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
