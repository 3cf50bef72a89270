/** Rows of one cell, for tests that look whether they are all there. */

import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { scan } from '../../../../src/model/query.ts'
import type { TableName } from '../../../../src/model/table-name.ts'
import type { Store } from '../../../../src/store.ts'

const FAMILY = Buffer.from('f')
/** So much that a few of them are more than one block of a store file: it has a middle then. */
const VALUE_BYTES = 4096
const LIMITS = { rows: 1000, bytes: 1 << 20, allowPartial: false }

export async function putRows(store: Store, table: TableName, rows: readonly string[]): Promise<void> {
  const batch = new MutationBatch()
  for (const row of rows) {
    batch.put(Buffer.from(row), FAMILY, FAMILY, valueOf(row))
    batch.endMutation()
  }
  const failures = await store.mutate(table, batch)
  if (failures.length > 0) throw failures[0]!.error
}

/** Those with the value that was put. */
export async function allRows(store: Store, table: TableName): Promise<string[]> {
  const scanner = await store.openScanner(table, scan())
  const rows: string[] = []
  for (let more = true; more; ) {
    const batch = await scanner.next(LIMITS)
    for (const { row, value } of cellsOf(batch.results.cells)) {
      if (value.equals(valueOf(String(row)))) rows.push(String(row))
    }
    more = batch.more
  }
  await scanner.close()
  return rows
}

function valueOf(row: string): Buffer {
  return Buffer.alloc(VALUE_BYTES, row)
}
