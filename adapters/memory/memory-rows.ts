import { EMPTY } from '../../src/model/bytes.ts'
import { CellBlockBuilder, cellsOf } from '../../src/model/cell-block.ts'
import { cellBytesMaxOf, checkCellSizes, checkOperationSizes } from '../../src/model/cell-size-limit.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import type { MutationBatch, RowMutation, RowPart, RowsMutation } from '../../src/model/mutation.ts'
import type { Get, Scan } from '../../src/model/query.ts'
import type { Results } from '../../src/model/results.ts'
import type { StoredCell } from '../../src/query/stored-cell.ts'
import type { Call } from '../../src/store/call.ts'
import type { OpenScanner } from '../../src/store/handouts.ts'
import { NonceMemory } from '../../src/store/nonce-memory.ts'
import { checkPartsAreInRegion, checkRowIsInRegion } from '../../src/store/refusals.ts'
import type { GetLimits, MutationFailure, RowMutationOutcome, Rows } from '../../src/store/rows.ts'
import type { Target } from '../../src/store/target.ts'
import type { MemoryHandouts } from './memory-handouts.ts'
import type { MemoryTable } from './memory-table.ts'
import { type MemoryTables, ROWS_PER_TURN } from './memory-tables.ts'
import {
  addedCells,
  answeredCells,
  type ChangeTimes,
  mutatedCells,
  timesUnderCondition,
  withTags,
} from './row-changes.ts'

export class MemoryRows implements Rows {
  readonly #tables: MemoryTables
  readonly #handouts: MemoryHandouts
  readonly #nonces: NonceMemory<bigint>
  /** The most bytes of a cell in tables without their own limit. */
  readonly #cellBytesMax: number

  constructor(tables: MemoryTables, handouts: MemoryHandouts, cellBytesMax: number) {
    this.#cellBytesMax = cellBytesMax
    this.#tables = tables
    this.#handouts = handouts
    this.#nonces = new NonceMemory(() => tables.clock.now())
  }

  async get(target: Target, gets: readonly Get[], limits: GetLimits, call: Call): Promise<Results> {
    const { table, region } = this.#tables.served(target, call)
    const cells = new CellBlockBuilder()
    const counts: number[] = []
    for (const get of gets) {
      if (counts.length > 0 && cells.length >= limits.bytes) break
      if (counts.length % ROWS_PER_TURN === ROWS_PER_TURN - 1) await this.#tables.pause(call)
      if (region !== undefined) checkRowIsInRegion(get.row, region, 'Get')
      if (region === undefined) table.checkServed(get.row, get.replica)
      const found = table.read(get.row, get, this.#now())
      for (const cell of found) cells.appendParts(cell)
      counts.push(found.length)
    }
    return { cells: cells.block(), counts }
  }

  async openScanner(target: Target, scan: Scan, call: Call): Promise<OpenScanner> {
    return this.#handouts.open(target, scan, call)
  }

  async mutate(target: Target, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]> {
    const { table, region } = this.#tables.served(target, call)
    const cellBytesMax = cellBytesMaxOf(table.descriptor, this.#cellBytesMax)
    const now = this.#now()
    const failures: MutationFailure[] = []
    const written: StoredCell[] = []
    for (const [index, options] of batch.options.entries()) {
      try {
        const block = batch.blockOf(index)
        const first = cellsOf(block)[0]
        if (region === undefined && first) table.checkServed(first.row)
        if (region !== undefined && first) checkRowIsInRegion(first.row, region, 'batchMutate')
        checkCellSizes(block, cellBytesMax)
        written.push(...mutatedCells(table, block, { now, put: now }, options))
      } catch (error) {
        if (!isHBaseError(error)) throw error
        failures.push({ index, error })
      }
    }
    table.write(written)
    return failures
  }

  async mutateRow(target: Target, mutation: RowMutation, call: Call): Promise<RowMutationOutcome> {
    const { table, region } = this.#tables.served(target, call)
    const { row, operations, condition, nonce, returnResults, withTags = false } = mutation
    if (region === undefined) table.checkServed(row)
    else {
      checkRowIsInRegion(row, region, condition === undefined ? 'batchMutate' : 'doCheckAndRowMutate')
    }
    checkOperationSizes([mutation], cellBytesMaxOf(table.descriptor, this.#cellBytesMax))
    const outcomeOf = (cells: StoredCell[]): RowMutationOutcome => {
      return { applied: true, results: oneResult(returnResults === false ? [] : cells, withTags) }
    }
    const madeAt = this.#nonces.readPoint(nonce)
    if (madeAt !== undefined) return outcomeOf(answeredCells(table, operations, this.#now(), madeAt))
    const times = timesUnderCondition(table, row, condition, this.#now())
    if (times === undefined) return { applied: false, results: oneResult([], false) }
    const { written, added } = changedCells(table, mutation, times)
    table.write(written)
    this.#nonces.add(nonce, table.readPoint)
    return outcomeOf(added)
  }

  async mutateRows(target: Target, { parts, nonce }: RowsMutation, call: Call): Promise<boolean> {
    const { table, region } = this.#tables.served(target, call)
    const [first] = parts
    if (first === undefined) return true
    if (region === undefined) table.checkServed(first.row)
    checkPartsAreInRegion(parts, region ?? table.regionAt(first.row))
    checkOperationSizes(parts, cellBytesMaxOf(table.descriptor, this.#cellBytesMax))
    if (this.#nonces.readPoint(nonce) !== undefined) return true
    const now = this.#now()
    for (const { row, condition } of parts) {
      if (timesUnderCondition(table, row, condition, now) === undefined) return false
    }
    table.write(parts.flatMap((part) => changedCells(table, part, { now, put: now }).written))
    this.#nonces.add(nonce, table.readPoint)
    return true
  }

  #now(): bigint {
    return BigInt(this.#tables.clock.now())
  }
}

interface ChangedCells {
  readonly written: readonly StoredCell[]
  /** The cells of increments and appends. */
  readonly added: StoredCell[]
}

function changedCells(
  table: MemoryTable,
  { operations, options: ofPart }: RowPart,
  times: ChangeTimes,
): ChangedCells {
  const written: StoredCell[] = []
  const added: StoredCell[] = []
  for (const operation of operations) {
    const options = operation.options ?? ofPart
    if (operation.kind === 'mutate') {
      written.push(...mutatedCells(table, operation.cells, times, options))
    } else {
      const cells = addedCells(table, operation, times.now, options)
      written.push(...cells)
      if (operation.returnResults !== false) added.push(...cells)
    }
  }
  return { written, added }
}

function oneResult(cells: readonly StoredCell[], hasTags: boolean): Results {
  const block = new CellBlockBuilder()
  for (const cell of cells) block.appendParts(hasTags ? cell : withTags(cell, EMPTY))
  return { cells: block.block(), counts: [cells.length] }
}
