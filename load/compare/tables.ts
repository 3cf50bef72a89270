/** The tables of a comparison, made and filled on the engine, and on HBase through Tidegate, whose doors take frames. */

import { setTimeout as sleep } from 'node:timers/promises'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { askOnce, isWholeFrame } from '../../test/harness/closed-loop.ts'
import { openRpcStore } from '../../test/harness/rpc-store.ts'
import { checkAnswer } from '../../test/harness/thrift-frames.ts'
import { type BenchTable, benchTable, writesOf } from '../bench-table.ts'
import type { Target } from './target.ts'
import type { Tables } from './workload.ts'

const OVERWRITES = 10
const REGIONS = 100
const FILES = 8

/** The same tables on each of the targets. */
export async function fillTables(targets: readonly Target[]): Promise<Tables> {
  const tables: Tables[] = []
  for (const target of targets) tables.push(await withStore(target, (store) => fill(target, store)))
  return tables[0]!
}

async function withStore<T>({ ports }: Target, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openRpcStore(ports.rpc)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

async function fill({ ports }: Target, store: Store): Promise<Tables> {
  const once = benchTable('once')
  const overwritten = benchTable('overwritten')
  const regions = benchTable('regions')
  const files = benchTable('files')
  for (const table of [once, overwritten]) await create(store, table)
  // Flushed at once: HBase takes 2 MB for the memstore of each region, and refuses writes where that is too much in total.
  const step = regions.rows.length / REGIONS
  await create(store, regions, { splits: regions.rows.filter((_, i) => i > 0 && i % step === 0) })
  await write(ports.thrift, writesOf(regions))
  await flush(store, regions)
  await create(store, files, { stated: [['COMPACTION_ENABLED', 'false']] })
  for (let part = 0; part < FILES; part++) {
    await write(ports.thrift, writesOf({ ...files, rows: files.rows.filter((_, i) => i % FILES === part) }))
    await flush(store, files)
  }
  for (const table of [once, overwritten]) await write(ports.thrift, writesOf(table))
  for (let pass = 0; pass < OVERWRITES; pass++) await write(ports.thrift, writesOf(overwritten))
  return { once, overwritten, regions, files }
}

interface Making {
  readonly splits?: readonly string[]
  readonly stated?: readonly (readonly [string, string])[]
}

function create(
  store: Store,
  { name }: BenchTable,
  { splits = [], stated = [] }: Making = {},
): Promise<void> {
  const descriptor = tableDescriptor(parseTableName(name), [familyDescriptor('f')], stated)
  const keys = splits.map((key) => Buffer.from(key))
  return store.catalog.createTable(descriptor, keys, OWN_CALL)
}

function flush(store: Store, { name }: BenchTable): Promise<void> {
  return store.upkeep.flushes!.flushTable(parseTableName(name), OWN_CALL)
}

async function write(port: number, frames: readonly Buffer[]): Promise<void> {
  for (const frame of frames) checkAnswer(await askOnce(port, frame, isWholeFrame))
}

/** Removes the tables that `fillTables` has made, for a cluster that goes on. */
export async function dropTables(target: Target, tables: Tables): Promise<void> {
  await withStore(target, async ({ catalog }) => {
    for (const name of Object.values(tables).map((table: BenchTable) => parseTableName(table.name))) {
      await catalog.disableTable(name, OWN_CALL)
      await catalog.deleteTable(name, OWN_CALL)
    }
  })
}

/** Flushes and compacts the tables that were written once and over again, and waits for the end. */
export async function compactTables(target: Target, { once, overwritten }: Tables): Promise<void> {
  await withStore(target, async ({ upkeep }) => {
    for (const name of [once.name, overwritten.name].map(parseTableName)) {
      await upkeep.flushes!.flushTable(name, OWN_CALL)
      await upkeep.compactions!.compactTable(name, { major: true }, OWN_CALL)
      do await sleep(1000)
      while ((await upkeep.compactions!.compactionState(name, OWN_CALL)) !== 'NONE')
    }
  })
}
