/** Changes of all columns of a row, as the store is asked for them and as they change a model of the rows. */

import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch, type RowOperation, type RowPart } from '../../../../src/model/mutation.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../../src/model/timestamp.ts'
import type { Call } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
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

export const ROWS: readonly Buffer[] = ['a', 'b', 'c'].map((text) => Buffer.from(text))
export const FAMILIES: readonly Buffer[] = ['f', 'g'].map((text) => Buffer.from(text))
export const COLUMNS: readonly Buffer[] = [3, 0, 2, 1].map((number) => Buffer.from(`q${number}`))
const OPTIONS = { durability: 'USE_DEFAULT' } as const

/** The values of each row's columns, the newest last. */
export type State = readonly (readonly number[])[]

export interface RowChange {
  readonly apply: (state: State) => State
  /** Resolves to the cells of the answer. */
  readonly send: (store: Store, call: Call) => Promise<readonly CellParts[]>
}

function on(row: number, apply: (versions: readonly number[]) => readonly number[]): (state: State) => State {
  return (state) => state.map((versions, index) => (index === row ? apply(versions) : versions))
}

function value8(value: number): Buffer {
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

function put(row: Buffer, value: number): RowOperation {
  return { kind: 'mutate', cells: cells(row, CellType.Put, value8(value)).block() }
}

function ofRow(row: Buffer, operations: readonly RowOperation[]): RowChange['send'] {
  return async (store, call) => {
    const { results } = await store.rows.mutateRow(TABLE, { row, operations, options: OPTIONS }, call)
    return cellsOf(results.cells)
  }
}

function ofBatch(made: CellBlockBuilder): RowChange['send'] {
  return async (store, call) => {
    const batch = new MutationBatch(made.buffer)
    batch.cells.length = made.length
    batch.endMutation()
    const [failure] = await store.rows.mutate(TABLE, batch, call)
    if (failure !== undefined) throw failure.error
    return []
  }
}

function ofRows(parts: readonly RowPart[]): RowChange['send'] {
  return async (store, call) => {
    await store.rows.mutateRows(TABLE, { parts }, call)
    return []
  }
}

function ofMissingColumn(row: Buffer, operation: RowOperation): RowChange['send'] {
  const [family, qualifier] = [FAMILIES[0]!, COLUMNS[0]!]
  const condition = { kind: 'column', family, qualifier, operator: 'EQUAL', comparator: undefined } as const
  const part = { row, condition, operations: [operation], options: OPTIONS }
  return async (store, call) => cellsOf((await store.rows.mutateRow(TABLE, part, call)).results.cells)
}

/** A change of the row of this index, or of it and the next one. `value`: of a put. */
export function rowChange(kind: ChangeKind, row: number, value: number): RowChange {
  const key = ROWS[row]!
  const add = (versions: readonly number[]): readonly number[] => [...versions, value]
  switch (kind) {
    case 'put':
      return { apply: on(row, add), send: ofRow(key, [put(key, value)]) }
    case 'put in order':
      return { apply: on(row, add), send: ofBatch(cells(key, CellType.Put, value8(value))) }
    case 'increment': {
      const operation = { kind, cells: cells(key, CellType.Put, value8(1)).block() } as const
      const apply = on(row, (versions) => [...versions, (versions.at(-1) ?? 0) + 1])
      return { apply, send: ofRow(key, [operation]) }
    }
    case 'delete newest': {
      const apply = on(row, (versions) => versions.slice(0, -1))
      return { apply, send: ofBatch(cells(key, CellType.Delete, Buffer.alloc(0))) }
    }
    case 'delete row':
      return { apply: on(row, () => []), send: ofBatch(new MutationBatch().deleteRow(key).cells) }
    case 'both rows': {
      const other = (row + 1) % ROWS.length
      const parts = [row, other].map((index) => {
        const each = ROWS[index]!
        return { row: each, operations: [put(each, value)], options: OPTIONS }
      })
      return { apply: (state) => on(other, add)(on(row, add)(state)), send: ofRows(parts) }
    }
    case 'checked': {
      const apply = on(row, (versions) => (versions.length === 0 ? [value] : versions))
      return { apply, send: ofMissingColumn(key, put(key, value)) }
    }
  }
}
