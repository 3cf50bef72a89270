/** A store with a hold, and the changes that it has acknowledged: a reader has to see these, in order, once. */

import { expect } from 'vitest'
import type { NativeOptions } from '../../../../adapters/native/options/native-options.ts'
import type { CellParts } from '../../../../src/model/cell.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import type { TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Changes, WantedChanges } from '../../../../src/store/changes.ts'
import type { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { StoreUnderTest, TABLE } from '../store-under-test.ts'

export const ALL: WantedChanges = { bytes: 1 << 20, waitMs: 0 }
export const HOLD = 'reader'
export const KEEP: number = 1 << 30

export function changesOf({ store }: StoreUnderTest): Changes {
  return store.upkeep.changes!
}

/** A cell of the model: its table, family and text. */
interface Expected {
  readonly table: TableName
  readonly family: string
  readonly text: string
  /** False: it may be there, or not. */
  readonly isSure: boolean
}

function textOf({ row, family, qualifier, timestamp, type, value }: CellParts): string {
  return [row, family, qualifier, timestamp, type, value].map(String).join(' ')
}

export class ChangeHistory {
  session!: StoreUnderTest
  readonly #options: Partial<NativeOptions>
  #expected: Expected[] = []
  /** Where the reader is: a position, and how many cells of the model come before it. */
  position = 0
  #read = 0
  #count = 0

  private constructor(options: Partial<NativeOptions>) {
    this.#options = options
  }

  static async begin(options: Partial<NativeOptions>): Promise<ChangeHistory> {
    const history = new ChangeHistory(options)
    await history.#open()
    history.position = await changesOf(history.session).holdLog(HOLD, undefined, KEEP, OWN_CALL)
    return history
  }

  async #open(fileSystem?: CrashableFileSystem): Promise<void> {
    this.session = await StoreUnderTest.open(this.#options, fileSystem, Math.random)
  }

  /** Another one each time, for a value or a timestamp. */
  next(): number {
    return ++this.#count
  }

  /** Makes mutations; cells of those that are acknowledged must come to the reader. */
  async mutate(batch: MutationBatch, table: TableName = TABLE): Promise<void> {
    const written = Array.from({ length: batch.length }, (_, index) => cellsOf(batch.blockOf(index)))
    const stated = written.map((cells) =>
      cells.map((cell) => ({ family: String(cell.family), text: textOf(cell) })),
    )
    const failures = await this.session.store.rows.mutate(table, batch, OWN_CALL).catch(() => undefined)
    const failed = new Set(failures?.map(({ index }) => index))
    for (const [index, cells] of stated.entries()) {
      if (failed.has(index)) continue
      for (const cell of cells) this.#expected.push({ table, ...cell, isSure: failures !== undefined })
    }
  }

  /** The rows of a batch come by regions, and so in their order. */
  async put(rows: readonly string[], family = 'f', durability = 'USE_DEFAULT' as const): Promise<void> {
    const batch = new MutationBatch()
    for (const row of [...rows].sort()) {
      batch.put(Buffer.from(row), Buffer.from(family), Buffer.from('q'), Buffer.from(`v${this.next()}`), 5n)
      batch.endMutation({ durability })
    }
    await this.mutate(batch)
  }

  /** What belongs to a table that is dropped, or to a family that is removed, does not come any more. */
  forget(table: TableName, family?: string): void {
    const isGone = (cell: Expected): boolean =>
      cell.table === table && (family === undefined || cell.family === family)
    this.#read -= this.#expected.slice(0, this.#read).filter(isGone).length
    this.#expected = this.#expected.filter((cell) => !isGone(cell))
  }

  /** Everything behind a position, in parts of about so many bytes. */
  async #rest(from: number, bytes: number): Promise<{ cells: string[]; positions: number[]; to: number }> {
    const cells: string[] = []
    const positions: number[] = []
    let to = from
    for (let left = 1; left > 0; ) {
      const part = await changesOf(this.session).readChanges(to, { ...ALL, bytes }, OWN_CALL)
      for (const change of part.changes) {
        expect(change.sequenceId).toBeGreaterThan(positions.at(-1) ?? from)
        expect(change.region).toMatch(/^[0-9a-f]{32}$/)
        positions.push(change.sequenceId)
        cells.push(...cellsOf(change.cells).map(textOf))
      }
      expect(part.position).toBeGreaterThanOrEqual(to)
      to = part.position
      left = part.left
    }
    return { cells, positions, to }
  }

  /** Reads on to the end, as a reader does that keeps its hold where it is. */
  async read(bytes: number): Promise<void> {
    const { cells, to } = await this.#rest(this.position, bytes)
    this.#expect(cells)
    this.position = to
    this.#read = this.#expected.length
    await changesOf(this.session).holdLog(HOLD, to, KEEP, OWN_CALL)
  }

  #expect(cells: readonly string[]): void {
    const kept: Expected[] = this.#expected.slice(0, this.#read)
    let at = 0
    for (const cell of this.#expected.slice(this.#read)) {
      if (cells[at] === cell.text) {
        at++
        kept.push({ ...cell, isSure: true })
      } else if (cell.isSure) expect(cells.slice(at)).toEqual([cell.text, '...'])
    }
    expect(cells.slice(at)).toEqual([])
    this.#expected = kept
  }

  /** From each position in what is left, the rest comes. */
  async readFromAnywhere(): Promise<void> {
    const { cells, positions } = await this.#rest(this.position, 1 << 20)
    this.#expect(cells)
    for (const position of positions) {
      const rest = await this.#rest(position, 200)
      expect(rest.cells).toEqual(cells.slice(cells.length - rest.cells.length))
      expect(rest.positions).toEqual(positions.slice(positions.indexOf(position) + 1))
    }
  }

  /** A full disk may take the logs that are kept: the reader learns of it, and begins anew. */
  async afterFullDisk(): Promise<void> {
    const [hold] = await changesOf(this.session).logHolds(OWN_CALL)
    if (hold?.loss === undefined) return
    expect(hold.loss).toContain('the disk was full')
    await expect(this.#rest(this.position, 100)).rejects.toThrow('no longer reaches back')
    await changesOf(this.session).releaseLog(HOLD, OWN_CALL)
    this.position = await changesOf(this.session).holdLog(HOLD, undefined, KEEP, OWN_CALL)
    this.#expected = []
    this.#read = 0
  }

  /** A kill may have put the hold back a little. */
  async #holdAgain(): Promise<void> {
    const [hold] = await changesOf(this.session).logHolds(OWN_CALL)
    expect(hold).toMatchObject({ name: HOLD, loss: undefined })
    expect(hold!.position).toBeLessThanOrEqual(this.position)
    await changesOf(this.session).holdLog(HOLD, this.position, KEEP, OWN_CALL)
  }

  async restart(): Promise<void> {
    await this.session.store.close()
    await this.#open(this.session.fileSystem)
  }

  async kill(): Promise<void> {
    await this.#open(this.session.fileSystem.killed())
    await this.#holdAgain()
  }

  /** After a power loss: nothing that was read is gone; of the rest the end may be. */
  async losePower(random: number): Promise<void> {
    await this.#open(this.session.fileSystem.powerLost(() => random))
    await this.#holdAgain()
    const { cells } = await this.#rest(this.position, 1 << 20)
    const left = this.#expected.slice(this.#read).filter(({ isSure }) => isSure)
    const there = new Set(cells)
    const lost = left.findIndex(({ text }) => !there.has(text))
    if (lost >= 0) for (const { text } of left.slice(lost)) expect(there.has(text)).toBe(false)
    this.#expected = this.#expected.filter((cell, index) => index < this.#read || there.has(cell.text))
    this.#expect(cells)
  }
}
