import { expect, test } from 'vitest'
import { type CityRow, COUNTED_AT, loadCities as readCities } from '../harness/demo/cities.ts'
import { createCitiesTable, loadCities } from '../harness/demo/load-cities.ts'
import { scanRows } from '../harness/demo/questions.ts'
import { Thrift1Client } from '../harness/demo/thrift1-client.ts'
import { testRuns } from '../harness/test-runs.ts'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'

const WRITERS = 4
const KILLS = 3
/** Of each life of the server; it dies when as many have been acknowledged. */
const ROWS_PER_LIFE = testRuns(4_000)
/** To each life, so that clients still write when it ends. */
const ROWS_OFFERED = 2 * ROWS_PER_LIFE

/** Loads `cities` with several clients until `count` rows are acknowledged; then `kill`, under their hands. */
async function loadUntil(
  port: number,
  cities: readonly CityRow[],
  count: number,
  kill: () => Promise<unknown>,
): Promise<Set<string>> {
  const acknowledged = new Set<string>()
  let killed: Promise<unknown> | undefined
  let died: () => void
  const death = new Promise<void>((resolve) => (died = resolve))
  const clients = Array.from({ length: WRITERS }, () => new Thrift1Client(port))
  const share = Math.ceil(cities.length / WRITERS)
  const loads = clients.map((client, index) =>
    loadCities(client, cities.slice(index * share, (index + 1) * share), COUNTED_AT, (rows) => {
      for (const { row } of rows) acknowledged.add(row.toString())
      if (acknowledged.size >= count) killed ??= kill().finally(died)
    }),
  )
  // A call that the kill cut off never answers: then only the kill ends the wait.
  await Promise.race([Promise.allSettled(loads), death])
  await killed
  for (const client of clients) client.close()
  expect(killed, 'the load ended before the kill').toBeDefined()
  return acknowledged
}

interface FoundRow {
  readonly row: Buffer
  readonly columns: Readonly<Record<string, { value: Buffer }>>
}

/** A row has all of its facts, which were one mutation; its population came with another. */
function isWhole({ columns }: FoundRow, city: CityRow, isAcknowledged: boolean): boolean {
  const wanted = city.cells.filter(([column]) => isAcknowledged || column.startsWith('f:'))
  const found = Object.keys(columns).filter((column) => isAcknowledged || column.startsWith('f:'))
  return (
    found.length === wanted.length &&
    wanted.every(([column, value]) => columns[column]?.value.toString() === value)
  )
}

test('what was acknowledged survives kill -9, whole and once', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const cities = readCities(KILLS * ROWS_OFFERED)
    const expected = new Map(cities.map((city) => [city.row.toString(), city]))
    const acknowledged = new Set<string>()
    let server = await startTidegate(`native:${folder}`)
    await createCitiesTable(new Thrift1Client(server.port('thrift')))
    for (let life = 0; life < KILLS; life++) {
      const victim = server
      const slice = cities.slice(life * ROWS_OFFERED, (life + 1) * ROWS_OFFERED)
      const rows = await loadUntil(server.port('thrift'), slice, ROWS_PER_LIFE, () => victim.stop('SIGKILL'))
      for (const row of rows) acknowledged.add(row)
      server = await startTidegate(`native:${folder}`)
    }
    const thrift = new Thrift1Client(server.port('thrift'))
    const found = await scanRows(thrift, {})
    const names = found.map(({ row }) => row.toString())
    const present = new Set(names)
    expect(present.size, 'no row twice').toBe(names.length)
    expect([...acknowledged].filter((row) => !present.has(row))).toEqual([])
    const torn = found.filter((row) => {
      const name = row.row.toString()
      return !isWhole(row, expected.get(name)!, acknowledged.has(name))
    })
    expect(torn, 'no torn row').toEqual([])
    const [sample] = acknowledged
    const versions = await thrift.client['getVer']!(
      Buffer.from('cities'),
      Buffer.from(sample!),
      Buffer.from('p:count'),
      10,
      [],
    )
    expect(versions, 'no cell twice').toHaveLength(1)
    thrift.close()
    await server.stop()
  }),
)
