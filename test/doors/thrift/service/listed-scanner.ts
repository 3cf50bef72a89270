/** A scan of results that a test lists as text, for tests of pages and batches. */

import { expect } from 'vitest'
import type { Lender } from '../../../../src/gateway/reads/loans.ts'
import type { Scanner } from '../../../../src/gateway/reads/scanner.ts'
import { type CellParts, CellType } from '../../../../src/model/cell.ts'
import { blockOf, CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { gathered, type ScanBatch, type ScannedResults } from '../../../../src/model/results.ts'
import type { Call } from '../../../../src/store/call.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import { scatteredOf } from '../../../model/scattered.ts'

const VALUE = Buffer.alloc(50)

function cellsNamed(result: string): CellParts[] {
  const [row, count] = [result[0]!, Number(result[1])]
  return Array.from({ length: count }, (_, i) => ({
    row: Buffer.from(row),
    family: Buffer.from('f'),
    qualifier: Buffer.from(String(i)),
    timestamp: 1n,
    type: CellType.Put,
    value: VALUE,
  }))
}

/** Results with as many cells of 50-byte values as their names say: `b3` is row b with 3 cells. */
export class ListedScanner implements Scanner, Lender {
  readonly asked: ScanLimits[] = []
  readonly calls: Call[] = []
  closed = 0
  /** Calls that fail, counted from 1. */
  readonly failing: number[] = []
  /** The most results of the first batch: a store may begin with few. */
  firstMax = 1_000
  /** Rows come in parts: batches state which results' rows go on, and that the last one's may. */
  isBatched = false
  /** Cells are scattered where that is allowed. */
  scatters = false
  /** Loans of batches, and how often each was given back. */
  readonly loans: Map<number, number> = new Map()
  readonly #lent = new Map<number, ScannedResults>()
  #left: string[]
  #busy = false

  constructor(results: readonly string[]) {
    this.#left = [...results]
  }

  async next(limits: ScanLimits, call: Call): Promise<ScanBatch> {
    expect(this.#busy).toBe(false)
    this.#busy = true
    await Promise.resolve()
    this.#busy = false
    this.calls.push(call)
    if (this.failing.includes(this.calls.length)) throw new HBaseError('UNAVAILABLE', 'the cluster is away')
    this.asked.push(limits)
    const rows = this.calls.length === 1 ? Math.min(limits.rows, this.firstMax) : limits.rows
    const names: string[] = []
    let bytes = 0
    while (this.#left.length > 0 && names.length < rows && bytes < limits.bytes) {
      names.push(this.#left.shift()!)
      bytes += blockOf(cellsNamed(names.at(-1)!)).byteLength
    }
    const cells = names.flatMap(cellsNamed)
    const loan = this.calls.length
    const results: ScannedResults = {
      cells: this.scatters && limits.allowScattered === true ? scatteredOf(cells) : blockOf(cells),
      counts: names.map((name) => Number(name[1])),
      loan,
    }
    this.#lent.set(loan, results)
    this.loans.set(loan, 0)
    return {
      results,
      ended: this.#left.length > 0 ? 'batch' : 'scan',
      partial: this.isBatched
        ? names.map((name, i) => i === names.length - 1 || name[0] === names[i + 1]![0])
        : undefined,
      cellsSeen: cells.length,
      rowsSeen: undefined,
      position: undefined,
    }
  }

  async close(): Promise<void> {
    this.closed++
  }

  /** Overwrites the cells, so that later reads of them fail. */
  release(loan: number): void {
    this.loans.set(loan, this.loans.get(loan)! + 1)
    const { cells } = this.#lent.get(loan)!
    if (cells instanceof CellBlock) cells.buffer.fill(0xdb)
    else for (const { buffer } of cells.memories) buffer.fill(0xdb)
  }
}

/** Reads the bytes of results back to the text that lists them. */
export function listed(results: ScannedResults): string[] {
  const { cells, counts } = gathered(results)
  const parts = cellsOf(cells)
  let next = 0
  const names = counts.map((count) => {
    const of = parts.slice(next, next + count)
    next += count
    expect(of).toHaveLength(count)
    return `${of[0]!.row.toString()}${count}`
  })
  expect(next).toBe(parts.length)
  return names
}
