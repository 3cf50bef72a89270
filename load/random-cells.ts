/**
 * Many cells in random order, with flushes and compactions as they come and settled, beside the same cells in one file:
 * `npm run bench:random-cells`. TIDEGATE_BENCH_ROWS is their number (20,000,000).
 */

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { get, scan } from '../src/model/query.ts'
import type { LentResults } from '../src/model/results.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Store } from '../src/store/store.ts'
import { batchOf, metric, openBenchStore, rowAt, TABLE, write } from './bench-store.ts'

const ROWS = Number(process.env['TIDEGATE_BENCH_ROWS'] ?? 20_000_000)
const BATCH = 1000
const GETS = 100_000
const SCANNED_ROWS = 2_000_000
const ROUNDS = 3
const LOOK_MS = 500
const QUIET_LOOKS = 6
/** Key and value of a cell with their lengths, without index and checksums. */
const CELL_BYTES = 4 + 4 + 2 + 13 + 1 + 1 + 1 + 8 + 1 + 100

interface Rates {
  readonly gets: number
  readonly rows: number
}

async function gets(store: Store): Promise<number> {
  const startedAt = performance.now()
  for (let i = 0; i < GETS; i++) {
    const row = rowAt(Math.trunc(Math.random() * ROWS))
    await store.rows
      .get(TABLE, [get(row)], { bytes: 1 << 20 }, OWN_CALL)
      .then((results) => release(store, results))
  }
  return (GETS / (performance.now() - startedAt)) * 1000
}

function release(store: Store, { loan }: LentResults): void {
  if (loan !== undefined) store.handouts.release(loan)
}

async function rowsScanned(store: Store): Promise<number> {
  const startedAt = performance.now()
  const { id } = await store.rows.openScanner(TABLE, scan(), OWN_CALL)
  let rows = 0
  for (let more = true; more && rows < SCANNED_ROWS; ) {
    const batch = await store.handouts.next(id, { rows: 1000, bytes: 1 << 21, allowPartial: false }, OWN_CALL)
    rows += batch.results.counts.length
    more = batch.ended !== 'scan'
    release(store, batch.results)
  }
  await store.handouts.closeScanner(id)
  return (rows / (performance.now() - startedAt)) * 1000
}

function median(figures: number[]): number {
  return figures.sort((a, b) => a - b)[ROUNDS >> 1]!
}

async function ratesOf(store: Store): Promise<Rates> {
  const all: Rates[] = []
  for (let round = 0; round < ROUNDS; round++)
    all.push({ gets: await gets(store), rows: await rowsScanned(store) })
  return { gets: median(all.map((each) => each.gets)), rows: median(all.map((each) => each.rows)) }
}

function diskBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(directory, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}

/** No compaction has ended and no file has come for a while. */
async function settled(store: Store): Promise<void> {
  let [last, quiet] = ['', 0]
  while (quiet < QUIET_LOOKS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const figures = ['compactions_total', 'flushes_total', 'store_files']
    const state = await store.upkeep.compactions?.compactionState(TABLE, OWN_CALL)
    const now = [state, ...(await Promise.all(figures.map((name) => metric(store, name))))].join()
    quiet = state === 'NONE' && now === last ? quiet + 1 : 0
    last = now
  }
}

function summary(name: string, rates: Rates, bytes: number, files: number): string {
  return `  ${name}: ${Math.round(rates.gets)} gets/s, ${Math.round(rates.rows)} rows scanned/s, ${files} files, ${(bytes / (ROWS * CELL_BYTES)).toFixed(2)} bytes on disk a live byte\n`
}

const directory = mkdtempSync(join(tmpdir(), 'tidegate-cells-'))
const store = await openBenchStore(directory, {})
try {
  for (let number = 0; number < ROWS / BATCH; number++) await write(store, batchOf(number, BATCH))
  await settled(store)
  const several = await ratesOf(store)
  const [bytes, files] = [diskBytes(directory), await metric(store, 'store_files')]
  await store.upkeep.compactions?.compactTable(TABLE, { major: true }, OWN_CALL)
  await settled(store)
  const one = await ratesOf(store)
  process.stdout.write(
    `${ROWS} random cells: gets ${(several.gets / one.gets).toFixed(2)} of one file (goal 0.5), scan ${(several.rows / one.rows).toFixed(2)} (goal 0.6)\n` +
      summary('settled ', several, bytes, files) +
      summary('one file', one, diskBytes(directory), await metric(store, 'store_files')) +
      `  resident memory ${Math.round(process.memoryUsage().rss / 1048576)} MiB\n`,
  )
} finally {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
}
