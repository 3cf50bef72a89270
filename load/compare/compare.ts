/**
 * Tidegate on its engine and in front of HBase, beside HBase's own servers, in one run: `npm run load:compare`. It writes
 * load/results/DATE-COMMIT.md and .json. Java and Maven are needed; it takes half an hour, and less with a shorter
 * TIDEGATE_BENCH_ROUND_MS. `-- NAME` measures only workloads whose names contain NAME, and writes nothing.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { missingTools } from '../../test/harness/real-hbase/jars.ts'
import { ceiling } from './ceiling.ts'
import { diskMiB, residents, starts } from './footprint.ts'
import { missedByFootprint, missedByWorkloads } from './goals.ts'
import { answersText, commit, page } from './page.ts'
import { restReads, restWrites } from './rest-workloads.ts'
import { type Measured, measure } from './rounds.ts'
import { rpcWorkloads } from './rpc-workloads.ts'
import { compactTables, fillTables } from './tables.ts'
import { type Door, startTargets, type Targets } from './target.ts'
import { thriftReads, thriftScans, thriftWrites } from './thrift-workloads.ts'
import type { Workload } from './workload.ts'

/** Below dist/, and the repository's. */
const RESULTS = fileURLToPath(new URL('../../../load/results/', import.meta.url))

async function run(targets: Targets, only: string): Promise<Measured[]> {
  const tables = await fillTables([targets.engine, targets.cluster])
  const measured: Measured[] = []
  const warmed = new Set<Door>()
  const all = async (workloads: readonly Workload[]): Promise<void> => {
    for (const workload of workloads) {
      if (!workload.name.includes(only)) continue
      const figures = await measure(workload, targets, warmed)
      measured.push(figures)
      print(figures)
    }
  }
  await all(thriftScans(targets, tables.once, 'written once'))
  await all(thriftScans(targets, tables.overwritten, 'overwritten'))
  await all(thriftScans(targets, tables.regions, '100 regions'))
  await all(thriftScans(targets, tables.files, '8 store files'))
  for (const target of [targets.engine, targets.cluster]) await compactTables(target, tables)
  await all(thriftScans(targets, tables.once, 'written once, compacted'))
  await all(thriftScans(targets, tables.overwritten, 'overwritten, compacted'))
  await all([...thriftReads(targets, tables), ...restReads(tables)])
  // Last, as puts make new versions, over which HBase reads ever longer.
  await all([...rpcWorkloads(tables), ...thriftWrites(targets, tables), ...restWrites(tables)])
  for (const target of [targets.engine, targets.cluster]) await compactTables(target, tables)
  return measured
}

function print({ workload, figures }: Measured): void {
  const texts = Object.entries(figures).map(
    ([side, { callsPerSecond, p99Ms, allMicros, answers }]) =>
      `${side} ${Math.round(callsPerSecond)}/s, p99 ${p99Ms.toFixed(2)} ms, ${Math.round(allMicros)} us, ${answersText(answers)}`,
  )
  process.stdout.write(`${workload.name}, ${workload.clients}: ${texts.join('; ')}\n`)
}

async function save(targets: Targets, measured: readonly Measured[]): Promise<void> {
  const memory = residents(targets)
  const disk = { engine: diskMiB(targets.folder), HBase: diskMiB(targets.realHBase.dataFolder) }
  // Peers are measured without the others beside them.
  await targets.stop()
  const started = await starts()
  const results = {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    measured,
    residents: memory,
    starts: started,
    disk,
    ceiling: await ceiling(),
    missed: [...missedByWorkloads(measured), ...missedByFootprint(memory, started)],
  }
  const path = `${RESULTS}${results.date}-${results.commit}`
  writeFileSync(`${path}.md`, page(results))
  writeFileSync(`${path}.json`, `${JSON.stringify(results, undefined, 2)}\n`)
  process.stdout.write(`written: ${path}.md\n`)
  for (const line of results.missed) process.stdout.write(`missed: ${line}\n`)
}

async function main(): Promise<void> {
  const missing = missingTools()
  if (missing.length > 0) throw new Error(`this comparison needs ${missing.join(' and ')} on the path`)
  const only = process.argv[2] ?? ''
  const targets = await startTargets()
  try {
    const measured = await run(targets, only)
    if (only === '') await save(targets, measured)
    else for (const line of missedByWorkloads(measured)) process.stdout.write(`missed: ${line}\n`)
  } finally {
    await targets.stop()
  }
}

await main()
