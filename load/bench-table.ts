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

/** A table that is not made yet. */
export function benchTable(name: string, rows: number = ROWS): BenchTable {
  return {
    name,
    valueBytes: VALUE_BYTES,
    rows: Array.from({ length: rows }, (_, i) => `row${String(i).padStart(7, '0')}`),
  }
}

export async function fillTable(port: number, name = 'bench', rows: number = ROWS): Promise<BenchTable> {
  const table = benchTable(name, rows)
  checkAnswer(await askOnce(port, createTable(table.name, 'f'), isWholeFrame))
  for (const frame of writesOf(table)) checkAnswer(await askOnce(port, frame, isWholeFrame))
  return table
}

/** Calls that write every row once. */
export function writesOf({ name, rows }: BenchTable): Buffer[] {
  const value = 'v'.repeat(VALUE_BYTES)
  const frames: Buffer[] = []
  for (let start = 0; start < rows.length; start += BATCH) {
    frames.push(mutateRows(name, rows.slice(start, start + BATCH), 'f:q', value))
  }
  return frames
}
