/** What the cases of regions have in common. */

import type { HBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { RegionLocation } from '../../../src/store/catalog.ts'
import type { RegionUpkeep } from '../../../src/store/upkeep.ts'
import { described } from './described-table.ts'
import { bytes, type Session } from './store-under-test.ts'

const ROWS = ['a', 'b', 'm', 'n', 'z']

export function upkeepOf({ store }: Session): RegionUpkeep {
  return store.upkeep.regions!
}

export async function regionsOf({ store, table }: Session): Promise<readonly RegionLocation[]> {
  return store.catalog.regions(table, OWN_CALL)
}

/** A table with the rows a, b, m, n and z, on a store whose regions can be changed. */
export async function startSplit(
  start: () => Promise<Session>,
  splits: readonly string[] = ['m', 'x'],
): Promise<Session> {
  const session = await start()
  session.needsUpkeep('regions')
  await session.store.catalog.createTable(described('t'), splits.map(bytes), OWN_CALL)
  for (const row of ROWS) await session.put(row, 'f:q', 'v', 5n)
  await session.settle()
  return session
}

/** Code, class and message of the error that rejects the promise. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = (await promise.catch((thrown: unknown) => thrown)) as HBaseError
  return `${error.code} ${error.javaClass.slice('org.apache.hadoop.hbase.'.length)} ${error.message}`
}
