/** The work after which the figures of two servers are compared: writes, flushes, a major compaction, gets, scans, a filter and a deletion. */

import { setTimeout as later } from 'node:timers/promises'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get, type Scan, scan } from '../../../src/model/query.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'

/** In two store files that a major compaction has made one, compressed. */
export const COMPACTED: TableName = parseTableName('figures_compacted')
/** In a memstore alone. */
export const WRITTEN: TableName = parseTableName('figures_written')

/** For the requests of REST. */
export const OF_REST: TableName = parseTableName('figures_rest')

const COMPACTED_ROWS = 20_000
const WRITTEN_ROWS = 20_000
const BATCH_ROWS = 500
const GETS = 100
const FAMILY = Buffer.from('f')
const QUALIFIER = Buffer.from('q')
const POLL_MS = 100

export async function doSharedWork(store: Store): Promise<void> {
  const { catalog, upkeep, rows } = store
  const compressed = familyDescriptor('f', [['COMPRESSION', 'GZ']])
  await catalog.createTable(tableDescriptor(COMPACTED, [compressed]), [], OWN_CALL)
  await catalog.createTable(
    tableDescriptor(WRITTEN, [familyDescriptor('f'), familyDescriptor('g')]),
    [],
    OWN_CALL,
  )
  await catalog.createTable(tableDescriptor(OF_REST, [familyDescriptor('f')]), [], OWN_CALL)
  for (const part of [0, 1]) {
    await putRows(store, COMPACTED, (part * COMPACTED_ROWS) / 2, COMPACTED_ROWS / 2, 190)
    await upkeep.flushes!.flushTable(COMPACTED, OWN_CALL)
  }
  await upkeep.compactions!.compactTable(COMPACTED, { major: true }, OWN_CALL)
  while ((await upkeep.compactions!.compactionState(COMPACTED, OWN_CALL)) !== 'NONE') await later(POLL_MS)
  await putRows(store, WRITTEN, 0, WRITTEN_ROWS, 60)
  const batch = new MutationBatch()
  for (let row = 0; row < 10; row++) {
    batch.deleteRow(rowKey(row))
    batch.endMutation()
  }
  await rows.mutate(WRITTEN, batch, OWN_CALL)
  const gets = Array.from({ length: GETS }, (_, row) => get(rowKey(row * 3)))
  await rows.get(COMPACTED, gets, { bytes: 1 << 24 }, OWN_CALL)
  await scanAll(store, COMPACTED, {})
  await scanAll(store, WRITTEN, {})
  const comparator = { kind: 'SubstringComparator', substring: '7' } as const
  await scanAll(store, COMPACTED, { filter: { kind: 'RowFilter', operator: 'EQUAL', comparator } })
}

async function putRows(
  store: Store,
  table: TableName,
  first: number,
  count: number,
  valueBytes: number,
): Promise<void> {
  for (let at = first; at < first + count; at += BATCH_ROWS) {
    const batch = new MutationBatch()
    for (let row = at; row < at + BATCH_ROWS; row++) {
      batch.put(rowKey(row), FAMILY, QUALIFIER, valueOf(row, valueBytes))
      batch.endMutation()
    }
    const failures = await store.rows.mutate(table, batch, OWN_CALL)
    if (failures.length > 0) throw failures[0]!.error
  }
}

async function scanAll(store: Store, table: TableName, options: Partial<Scan>): Promise<void> {
  const scanner = await openScanner(store, table, scan(options), OWN_CALL)
  const limits = { rows: 1000, bytes: 1 << 21, allowPartial: false }
  for (;;) if ((await scanner.next(limits, OWN_CALL)).ended === 'scan') break
  await scanner.close()
}

function rowKey(row: number): Buffer {
  return Buffer.from(`row${String(row).padStart(8, '0')}`)
}

/** Half of it is the same in every row, so that GZ halves it or better. */
function valueOf(row: number, bytes: number): Buffer {
  const value = Buffer.alloc(bytes, 'the same in every row ')
  let state = row + 1
  for (let at = 0; at < bytes / 3; at++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    value[at] = state >>> 24
  }
  return value
}
