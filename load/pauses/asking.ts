/** The form of hostile requests: each resolves to a few words about its answer. */

import { openScanner } from '../../src/gateway/reads/scanner.ts'
import { CellType } from '../../src/model/cell.ts'
import { CellBlockBuilder } from '../../src/model/cell-block.ts'
import type { Filter } from '../../src/model/filter.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type RowOperation } from '../../src/model/mutation.ts'
import { get, type Query, type Scan, scan } from '../../src/model/query.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../src/model/timestamp.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { FAMILY, numbered } from './attacked-table.ts'
import type { Attacked } from './scene.ts'

const LIMITS = { rows: 1000, bytes: 1 << 24, allowPartial: false }
const AT_ONCE = 16

export async function reads(attacked: Attacked, row: Buffer, options: Partial<Query>): Promise<string> {
  const { store, table } = attacked
  const { counts } = await store.rows.get(table, [get(row, options)], { bytes: 1 << 28 }, OWN_CALL)
  return `${counts[0]} cells`
}

export async function scans(attacked: Attacked, options: Partial<Scan>): Promise<string> {
  const { store, table } = attacked
  const scanner = await openScanner(store, table, scan(options), OWN_CALL)
  let cells = 0
  try {
    for (;;) {
      const { results, ended } = await scanner.next(LIMITS, OWN_CALL)
      for (const count of results.counts) cells += count
      if (results.loan !== undefined) store.handouts.release(results.loan)
      if (ended === 'scan') return `${cells} cells`
    }
  } finally {
    await scanner.close()
  }
}

export function onRow(row: Buffer): Partial<Scan> {
  return { startRow: row, stopRow: row, includeStopRow: true }
}

export async function changes(
  attacked: Attacked,
  row: Buffer,
  operation: RowOperation,
  filter?: Filter,
): Promise<string> {
  const { store, table } = attacked
  const condition = filter && ({ kind: 'filter', filter } as const)
  const mutation = { row, operations: [operation], condition, options: DEFAULT_MUTATION_OPTIONS }
  const { applied, results } = await store.rows.mutateRow(table, mutation, OWN_CALL)
  return `${applied ? 'applied' : 'not applied'}, ${results.counts[0] ?? 0} cells`
}

export function cellsOfColumns(
  row: Buffer,
  count: number,
  value: Buffer,
  type: number = CellType.Put,
): CellBlockBuilder {
  const cells = new CellBlockBuilder(count * (value.length + 64))
  for (let i = 0; i < count; i++)
    cells.append(row, FAMILY, numbered('q', i), LATEST_HIGH, LATEST_LOW, type, value)
  return cells
}

export function put(row: Buffer, columns: number): RowOperation {
  return { kind: 'mutate', cells: cellsOfColumns(row, columns, Buffer.from('value')).block() }
}

export async function batch(attacked: Attacked, fill: (made: MutationBatch) => void): Promise<string> {
  const made = new MutationBatch()
  fill(made)
  const failures = await attacked.store.rows.mutate(attacked.table, made, OWN_CALL)
  return failures.length === 0 ? 'applied' : `${failures.length} failures: ${failures[0]?.error.message}`
}

/** Sends a request as often as there are clients. */
export async function atOnce(send: () => Promise<string>): Promise<string> {
  const answers = await Promise.allSettled(Array.from({ length: AT_ONCE }, send))
  const [first] = answers
  return first?.status === 'fulfilled' ? first.value : String(first?.reason).slice(0, 60)
}
