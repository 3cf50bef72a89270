/** Tables of equal rows of one cell, made, filled, read and scanned over native RPC and Thrift. */

import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { scan } from '../../src/model/query.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { closedLoop, type LoopResult } from '../../test/harness/closed-loop.ts'
import { getRow } from '../../test/harness/thrift-frames.ts'
import type { GrowthServer } from './growth-server.ts'
import { ROUND_MS } from './series.ts'

const NAME = 'growth'
const TABLE = parseTableName(NAME)
const [FAMILY, QUALIFIER] = [Buffer.from('f'), Buffer.from('q')]
const GETS = 20_000
const BATCH_BYTES = 1024 * 1024
const BATCH_ROWS_MAX = 1000
/** Batches under way at a time. */
const WRITERS = 4
const SCAN_ROWS = 1000
const SCAN_BYTES = 2 * 1024 * 1024

export interface GrowthTable {
  readonly rows: number
  readonly valueBytes: number
  readonly key: (row: number) => string
}

export async function createGrowthTable(store: Store, splitKeys: readonly string[] = []): Promise<void> {
  const keys = splitKeys.map((key) => Buffer.from(key))
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), keys, OWN_CALL)
}

/** Writes all rows in the order of their numbers; resolves to the rows a second. */
export async function fillGrowthTable(store: Store, table: GrowthTable): Promise<number> {
  const value = Buffer.alloc(table.valueBytes, 'v')
  const rowsABatch = Math.max(1, Math.min(BATCH_ROWS_MAX, Math.floor(BATCH_BYTES / table.valueBytes)))
  let next = 0
  const write = async (): Promise<void> => {
    while (next < table.rows) {
      const end = Math.min(next + rowsABatch, table.rows)
      const batch = new MutationBatch()
      for (; next < end; next++) {
        batch.put(Buffer.from(table.key(next)), FAMILY, QUALIFIER, value).endMutation()
      }
      const failures = await store.rows.mutate(TABLE, batch, OWN_CALL)
      if (failures.length > 0) throw failures[0]!.error
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: WRITERS }, write))
  return (table.rows * 1000) / (performance.now() - startedAt)
}

export async function flush(store: Store): Promise<void> {
  await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
}

/** Gets of rows all over the table, from so many connections. */
export function getsOf(
  { thriftPort }: GrowthServer,
  { rows, key }: GrowthTable,
  connections: number,
  durationMs: number,
): Promise<LoopResult> {
  // A linear congruential walk: the same rows in every run.
  let state = 12345
  const requests = Array.from({ length: GETS }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return getRow(NAME, key(state % rows))
  })
  return closedLoop({ port: thriftPort, requests, answerBytes: 'framed', connections, durationMs })
}

/**
 * Scans the whole table for some seconds, so that both ends have compiled what they run, then again and again as long; resolves to the
 * rows a second of all those scans together: one of few rows is over in the time of a hiccup.
 */
export async function scanRate(store: Store, table: GrowthTable): Promise<number> {
  await scansFor(store, table, 2 * ROUND_MS)
  return scansFor(store, table, ROUND_MS)
}

async function scansFor(store: Store, table: GrowthTable, durationMs: number): Promise<number> {
  const startedAt = performance.now()
  let rows = 0
  do rows += await scanOnce(store, table)
  while (performance.now() - startedAt < durationMs)
  return (rows * 1000) / (performance.now() - startedAt)
}

/** Resolves to the rows. Throws where the table has another number of them. */
async function scanOnce({ rows, handouts }: Store, table: GrowthTable): Promise<number> {
  const { id } = await rows.openScanner(TABLE, scan({}), OWN_CALL)
  let seen = 0
  for (let ended = false; !ended; ) {
    const limits = { rows: SCAN_ROWS, bytes: SCAN_BYTES, allowPartial: false }
    const batch = await handouts.next(id, limits, OWN_CALL)
    seen += batch.results.counts.length
    ended = batch.ended === 'scan'
  }
  await handouts.closeScanner(id)
  if (seen !== table.rows) throw new Error(`the scan saw ${seen} rows of ${table.rows}`)
  return seen
}

/** Writes so far by region, in the order of the regions. */
export async function writesByRegion(store: Store): Promise<number[]> {
  const status = await store.upkeep.cluster!.status(OWN_CALL)
  return status.liveServers
    .flatMap(({ regions }) => regions)
    .filter(({ name }) => name.toString('latin1').startsWith(`${NAME},`))
    .sort((a, b) => Buffer.compare(a.name, b.name))
    .map(({ writeRequests }) => writeRequests)
}
