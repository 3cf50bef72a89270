/** Rows of one cell, for tests that check that none is missing. */

import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import type { TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'

const FAMILY = Buffer.from('f')
/** Large enough that a few rows fill several blocks of a store file, which then has a middle to split at. */
const VALUE_BYTES = 4096
const LIMITS = { rows: 1000, bytes: 1 << 20, allowPartial: false }

export async function putRows(store: Store, table: TableName, rows: readonly string[]): Promise<void> {
  const batch = new MutationBatch()
  for (const row of rows) {
    batch.put(Buffer.from(row), FAMILY, FAMILY, valueOf(row))
    batch.endMutation()
  }
  const failures = await store.rows.mutate(table, batch, OWN_CALL)
  if (failures.length > 0) throw failures[0]!.error
}

/** The rows that still have the value that was put. */
export async function allRows(store: Store, table: TableName): Promise<string[]> {
  const scanner = await openScanner(store, table, scan(), OWN_CALL)
  const rows: string[] = []
  for (let more = true; more; ) {
    const batch = await scanner.next(LIMITS, OWN_CALL)
    for (const { row, value } of cellsOf(gathered(batch.results).cells)) {
      if (value.equals(valueOf(String(row)))) rows.push(String(row))
    }
    more = batch.ended !== 'scan'
  }
  await scanner.close()
  return rows
}

function valueOf(row: string): Buffer {
  return Buffer.alloc(VALUE_BYTES, row)
}
