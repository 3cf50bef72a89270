import type { CityRow } from './cities.ts'
import { struct, type Thrift1Client } from './thrift1-client.ts'

export const TABLE = 'cities'
const ROWS_PER_CALL = 500

export async function createCitiesTable({ client }: Thrift1Client): Promise<void> {
  const families = [
    struct('ColumnDescriptor', { name: Buffer.from('f:'), maxVersions: 1 }),
    struct('ColumnDescriptor', { name: Buffer.from('p:'), maxVersions: 10 }),
  ]
  await client['createTable']!(Buffer.from(TABLE), families)
}

function mutation(column: string, value: string): unknown {
  return struct('Mutation', { column: Buffer.from(column), value: Buffer.from(value) })
}

/**
 * Facts with the server's time, populations with the time at which they were counted. `acknowledged` hears of the rows
 * of each call that was answered.
 */
export async function loadCities(
  { client }: Thrift1Client,
  cities: readonly CityRow[],
  countedAt: number,
  acknowledged: (rows: readonly CityRow[]) => void = () => undefined,
): Promise<void> {
  for (let start = 0; start < cities.length; start += ROWS_PER_CALL) {
    const rows = cities.slice(start, start + ROWS_PER_CALL)
    const batch = (prefix: string): unknown[] =>
      rows.map(({ row, cells }) => {
        const chosen = cells.filter(([column]) => column.startsWith(prefix))
        return struct('BatchMutation', {
          row,
          mutations: chosen.map(([column, value]) => mutation(column, value)),
        })
      })
    await client['mutateRows']!(Buffer.from(TABLE), batch('f:'), [])
    await client['mutateRowsTs']!(Buffer.from(TABLE), batch('p:'), countedAt, [])
    acknowledged(rows)
  }
}
