/** The table `cities`, made and filled through the seam as the doors do it. */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../model/descriptor.ts'
import { MutationBatch } from '../../model/mutation.ts'
import { parseTableName } from '../../model/table-name.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import { type DemoCity, rowOf } from './demo-cities.ts'

export const TABLE = 'cities'
const ROWS_A_BATCH = 500
const FACTS = Buffer.from('f')
const POPULATION = Buffer.from('p')
const COUNT = Buffer.from('count')
/** The timestamp of the populations: the year that they stand for. */
const COUNTED_AT = BigInt(Date.UTC(2020, 0, 1))

/** The table's attribute while it has not all rows: the next start loads them again. */
const LOADING = ['DEMO', 'loading'] as const

/** Returns false where the store has the whole table already, or another of this name, and changes nothing then. Throws HBaseErrors. */
export async function loadCities(store: Store, read: () => readonly DemoCity[]): Promise<boolean> {
  const table = parseTableName(TABLE)
  const { catalog } = store
  const isThere = await catalog.tableExists(table, OWN_CALL)
  if (isThere && !isHalfLoaded(await catalog.table(table, OWN_CALL))) return false
  const families = [familyDescriptor(FACTS), familyDescriptor(POPULATION, [['VERSIONS', '10']])]
  if (!isThere) await catalog.createTable(tableDescriptor(table, families, [LOADING]), [], OWN_CALL)
  const cities = read()
  for (let start = 0; start < cities.length; start += ROWS_A_BATCH) {
    const batch = batchOf(cities.slice(start, start + ROWS_A_BATCH))
    const [failure] = await store.rows.mutate(table, batch, OWN_CALL)
    if (failure !== undefined) throw failure.error
  }
  await catalog.modifyTable(tableDescriptor(table, families), OWN_CALL)
  return true
}

function isHalfLoaded({ attributes }: TableDescriptor): boolean {
  const [name, value] = LOADING
  return attributes.get(name) === value
}

function batchOf(cities: readonly DemoCity[]): MutationBatch {
  const batch = new MutationBatch()
  for (const city of cities) {
    const row = Buffer.from(rowOf(city))
    const { name, country, feature, latitude, longitude } = city
    for (const [fact, value] of Object.entries({ name, country, feature, latitude, longitude }))
      batch.put(row, FACTS, Buffer.from(fact), Buffer.from(value))
    batch.put(row, POPULATION, COUNT, Buffer.from(city.population), COUNTED_AT)
    batch.endMutation()
  }
  return batch
}
