import { askOnce, isWholeFrame } from '../test/harness/closed-loop.ts'
import { checkAnswer, createTable, mutateRows } from '../test/harness/thrift-frames.ts'

export const ROWS_PER_SCAN = 1000
const ROWS = 100_000
const BATCH = 500
const VALUE_BYTES = 100

/** A table of equal rows `row0000001`, ... of one cell f:q of 100 bytes. */
export interface BenchTable {
  readonly name: string
  readonly rows: readonly string[]
  readonly valueBytes: number
}

export async function fillTable(port: number): Promise<BenchTable> {
  const table = {
    name: 'bench',
    valueBytes: VALUE_BYTES,
    rows: Array.from({ length: ROWS }, (_, i) => `row${String(i).padStart(7, '0')}`),
  }
  checkAnswer(await askOnce(port, createTable(table.name, 'f'), isWholeFrame))
  const value = 'v'.repeat(VALUE_BYTES)
  for (let start = 0; start < ROWS; start += BATCH) {
    const rows = table.rows.slice(start, start + BATCH)
    checkAnswer(await askOnce(port, mutateRows(table.name, rows, 'f:q', value), isWholeFrame))
  }
  return table
}
