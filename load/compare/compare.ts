/**
 * Tidegate on its engine and in front of HBase, beside HBase's own servers, in one run: `npm run load:compare`. It writes
 * load/results/DATE-COMMIT.md and .json. Java and Maven are needed; it takes half an hour, and less with a shorter
 * TIDEGATE_BENCH_ROUND_MS. `-- NAME` measures only workloads whose names contain NAME, and writes nothing.
 */

import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { askOnce, isWholeFrame } from '../../test/harness/closed-loop.ts'
import { missingTools } from '../../test/harness/real-hbase/jars.ts'
import { openRpcStore } from '../../test/harness/rpc-store.ts'
import { checkAnswer } from '../../test/harness/thrift-frames.ts'
import { type BenchTable, fillTable, writesOf } from '../bench-table.ts'
import { diskMiB, residents, starts } from './footprint.ts'
import { commit, missed, page } from './page.ts'
import { restReads, restWrites } from './rest-workloads.ts'
import { type Measured, measure } from './rounds.ts'
import { rpcWorkloads } from './rpc-workloads.ts'
import { startTargets, type Target, type Targets } from './target.ts'
import { thriftReads, thriftScans, thriftWrites } from './thrift-workloads.ts'
import type { Tables, Workload } from './workload.ts'

const OVERWRITES = 10
/** Below dist/, and the repository's. */
const RESULTS = fileURLToPath(new URL('../../../load/results/', import.meta.url))

/** The tables on the engine, and on HBase through Tidegate, whose doors take frames. */
async function fill({ engine, cluster }: Targets): Promise<Tables> {
  const tables: Tables[] = []
  for (const { ports } of [engine, cluster]) {
    const once = await fillTable(ports.thrift)
    const overwritten = await fillTable(ports.thrift, 'overwritten')
    for (let pass = 0; pass < OVERWRITES; pass++) await writeAll(ports.thrift, overwritten)
    tables.push({ once, overwritten })
  }
  return tables[0]!
}

async function writeAll(port: number, table: BenchTable): Promise<void> {
  for (const frame of writesOf(table)) checkAnswer(await askOnce(port, frame, isWholeFrame))
}

/** Flushes and compacts the tables, and waits for the end. */
async function compact({ ports }: Target, { once, overwritten }: Tables): Promise<void> {
  const store = await openRpcStore(ports.rpc)
  try {
    for (const name of [once.name, overwritten.name].map(parseTableName)) {
      await store.upkeep.flushes!.flushTable(name, OWN_CALL)
      await store.upkeep.compactions!.compactTable(name, { major: true }, OWN_CALL)
      do await sleep(1000)
      while ((await store.upkeep.compactions!.compactionState(name, OWN_CALL)) !== 'NONE')
    }
  } finally {
    await store.close()
  }
}

async function run(targets: Targets, only: string): Promise<Measured[]> {
  const tables = await fill(targets)
  const measured: Measured[] = []
  const all = async (workloads: readonly Workload[]): Promise<void> => {
    for (const workload of workloads) {
      if (!workload.name.includes(only)) continue
      const figures = await measure(workload, targets)
      measured.push(figures)
      print(figures)
    }
  }
  await all(thriftScans(targets, tables.once, 'written once'))
  await all(thriftScans(targets, tables.overwritten, 'overwritten'))
  for (const target of [targets.engine, targets.cluster]) await compact(target, tables)
  await all(thriftScans(targets, tables.once, 'written once, compacted'))
  await all(thriftScans(targets, tables.overwritten, 'overwritten, compacted'))
  await all([...thriftReads(targets, tables), ...restReads(tables)])
  // Last, as puts make new versions, over which HBase reads ever longer.
  await all([...rpcWorkloads(tables), ...thriftWrites(targets, tables), ...restWrites(tables)])
  for (const target of [targets.engine, targets.cluster]) await compact(target, tables)
  return measured
}

function print({ workload, figures }: Measured): void {
  const texts = Object.entries(figures).map(
    ([side, { callsPerSecond, p99Ms, allMicros }]) =>
      `${side} ${Math.round(callsPerSecond)}/s, p99 ${p99Ms.toFixed(2)} ms, ${Math.round(allMicros)} us`,
  )
  process.stdout.write(`${workload.name}, ${workload.clients}: ${texts.join('; ')}\n`)
}

async function main(): Promise<void> {
  const missing = missingTools()
  if (missing.length > 0) throw new Error(`this comparison needs ${missing.join(' and ')} on the path`)
  const only = process.argv[2] ?? ''
  const targets = await startTargets()
  try {
    const measured = await run(targets, only)
    if (only === '') {
      const date = new Date().toISOString().slice(0, 10)
      const results = {
        date,
        commit: commit(),
        measured,
        residents: residents(targets),
        starts: await starts(),
        disk: { engine: diskMiB(targets.folder), HBase: diskMiB(targets.realHBase.dataFolder) },
      }
      const path = `${RESULTS}${date}-${results.commit}`
      writeFileSync(`${path}.md`, page(results))
      writeFileSync(`${path}.json`, `${JSON.stringify(results, undefined, 2)}\n`)
      process.stdout.write(`written: ${path}.md\n`)
    }
    for (const line of missed(measured)) process.stdout.write(`missed: ${line}\n`)
  } finally {
    await targets.stop()
  }
}

await main()
