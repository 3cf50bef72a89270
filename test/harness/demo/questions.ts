/** The questions of the demo; each answer is checked against the package that the cities came from. */

import { strict as assert } from 'node:assert'
import { type CityRow, COUNTED_AT, loadCities as readCities } from './cities.ts'
import { createCitiesTable, loadCities, TABLE } from './load-cities.ts'
import { struct, Thrift1Client } from './thrift1-client.ts'

export interface DemoPorts {
  readonly rest: number
  readonly thrift: number
}

/** A cell as Thrift 1 gives it. */
interface Cell {
  readonly value: Buffer
}
interface Row {
  readonly row: Buffer
  readonly columns: Readonly<Record<string, Cell>>
}

type Say = (line: string) => void

const COUNTRY = 'LI'
const PAGE_ROWS = 1000

/** Throws if an answer contradicts the cities. */
export async function runDemo(ports: DemoPorts, say: Say): Promise<void> {
  const cities = readCities()
  const thrift = new Thrift1Client(ports.thrift)
  try {
    const started = performance.now()
    await createCitiesTable(thrift)
    await loadCities(thrift, cities, COUNTED_AT)
    const seconds = (performance.now() - started) / 1000
    say(`loaded ${cities.length} cities through Thrift mutateRows in ${seconds.toFixed(1)} s`)
    await countAll(thrift, cities, say)
    await askPrefix(thrift, cities, say)
    await askRest(ports.rest, cities, say)
    await askReversed(thrift, cities, say)
    await askAsOf(thrift, cities, say)
  } finally {
    thrift.close()
  }
}

/** Rows of a scan, page by page. */
export async function scanRows(
  { client }: Thrift1Client,
  options: Readonly<Record<string, unknown>>,
  rowsMax: number = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const scan = struct('TScan', { caching: PAGE_ROWS, ...options })
  const id = await client['scannerOpenWithScan']!(Buffer.from(TABLE), scan, [])
  const rows: Row[] = []
  while (rows.length < rowsMax) {
    const page = (await client['scannerGetList']!(id, Math.min(PAGE_ROWS, rowsMax - rows.length))) as Row[]
    if (page.length === 0) break
    rows.push(...page)
  }
  await client['scannerClose']!(id)
  return rows
}

async function countAll(thrift: Thrift1Client, cities: readonly CityRow[], say: Say): Promise<void> {
  const rows = await scanRows(thrift, { columns: [Buffer.from('f:name')] })
  assert.equal(rows.length, cities.length)
  say(`a scan counts ${rows.length} rows, as many as the package has`)
}

async function askPrefix({ client }: Thrift1Client, cities: readonly CityRow[], say: Say): Promise<void> {
  const expected = cities.filter((city) => city.country === COUNTRY).map((city) => city.row.toString())
  const id = await client['scannerOpenWithPrefix']!(
    Buffer.from(TABLE),
    Buffer.from(`${COUNTRY}/`),
    [Buffer.from('f:name')],
    [],
  )
  const rows = (await client['scannerGetList']!(id, PAGE_ROWS)) as Row[]
  await client['scannerClose']!(id)
  assert.deepEqual(
    rows.map(({ row }) => row.toString()),
    expected.sort(),
  )
  say(
    `the ${rows.length} cities of Liechtenstein by prefix: ${rows.map(({ columns }) => columns['f:name']!.value.toString()).join(', ')}`,
  )
}

async function askRest(port: number, cities: readonly CityRow[], say: Say): Promise<void> {
  const zurich = cities.find(({ row }) => row.toString().startsWith('CH/ZH/Zürich/'))!
  const url = `http://127.0.0.1:${port}/${TABLE}/${encodeURIComponent(zurich.row.toString())}`
  const json = await (await fetch(url, { headers: { accept: 'application/json' } })).text()
  const xml = await (await fetch(url, { headers: { accept: 'text/xml' } })).text()
  const population = Buffer.from(String(zurich.population)).toString('base64')
  assert.ok(json.includes(`"timestamp":${COUNTED_AT},"$":"${population}"`), json)
  assert.ok(xml.includes(`timestamp="${COUNTED_AT}">${population}</Cell>`), xml)
  say(`${zurich.row.toString()} over REST as JSON: ${json.slice(0, 120)}...`)
  say(`... and as XML: ${xml.slice(0, 120)}...`)
}

async function askReversed(thrift: Thrift1Client, cities: readonly CityRow[], say: Say): Promise<void> {
  const columns = [Buffer.from('f:name'), Buffer.from('p:count')]
  const rows = await scanRows(thrift, { reversed: true, columns }, 3)
  const last = cities
    .map(({ row }) => row)
    .sort((a, b) => a.compare(b))
    .slice(-3)
    .reverse()
  assert.deepEqual(
    rows.map(({ row }) => row),
    last,
  )
  for (const { columns } of rows) assert.deepEqual(Object.keys(columns), ['f:name', 'p:count'])
  const shown = rows.map(
    ({ columns }) => `${columns['f:name']!.value.toString()} (${columns['p:count']!.value.toString()})`,
  )
  say(`the last three cities backwards, two columns each: ${shown.join(', ')}`)
}

async function askAsOf({ client }: Thrift1Client, cities: readonly CityRow[], say: Say): Promise<void> {
  const { row, population } = cities.find(({ row }) => row.toString().startsWith('CH/ZH/Zürich/'))!
  const later = COUNTED_AT + 365 * 86_400_000
  const recount = struct('Mutation', {
    column: Buffer.from('p:count'),
    value: Buffer.from(String(population + 1000)),
  })
  await client['mutateRowTs']!(Buffer.from(TABLE), row, [recount], later, [])
  const countAsOf = async (before: number): Promise<string> => {
    const [cell] = (await client['getVerTs']!(
      Buffer.from(TABLE),
      row,
      Buffer.from('p:count'),
      before,
      1,
      [],
    )) as Cell[]
    return cell!.value.toString()
  }
  assert.equal(await countAsOf(later), String(population))
  assert.equal(await countAsOf(later + 1), String(population + 1000))
  say(`its population in the time range up to the recount: ${population}, and with it: ${population + 1000}`)
}
