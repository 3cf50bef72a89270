import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../harness/tidegate-process.ts'
import { b64, ConsoleClient, queryOf, type ShownPage } from './console-client.ts'

/** Bytes that are no UTF-8, a NUL, a quote and markup. */
const ODD = Buffer.from('<script>\0\xff\xfe"\'', 'latin1').toString('base64')
/** More digits than a double has. */
const LATE = '9007199254740993'

const folder = makeTemporaryFolder()
let client: ConsoleClient
beforeAll(async () => {
  client = await ConsoleClient.start({
    store: `native:${folder}`,
    consoleWrites: true,
    slowLogMs: 0,
  })
  const family = { name: b64('f'), versions: '3' }
  for (const table of ['t', 'many']) await client.change({ kind: 'createTable', table, families: [family] })
  await client.put('t', ODD, b64('first'), { timestamp: '1' })
  await client.put('t', ODD, ODD, { timestamp: LATE, qualifier: ODD })
  await client.put('t', ODD, b64('second'), { timestamp: '5' })
  for (let i = 0; i < 60; i++) await client.put('many', b64(`r${i % 10}/${i}`), b64(String(i)))
})
afterAll(async () => {
  await client.server.stop()
  rmSync(folder, { recursive: true })
})

function rows(...parameters: [string, string][]): Promise<ShownPage> {
  return client.read('rows', parameters)
}

test('bytes and 64-bit numbers are what was put, to the last one', async () => {
  const page = await rows(['table', 't'], ['versions', 'all'])
  const cell = { family: b64('f'), qualifier: b64('q') }
  expect(page).toEqual({
    rows: [
      {
        row: ODD,
        cells: [
          { family: b64('f'), qualifier: ODD, timestamp: LATE, value: ODD, length: 13 },
          { ...cell, timestamp: '5', value: b64('second'), length: 6 },
          { ...cell, timestamp: '1', value: b64('first'), length: 5 },
        ],
        total: 3,
      },
    ],
    gaps: [],
    isCut: false,
    examined: 1,
  })
})

test.each([
  ['columns', [['column', b64('f:q')]], ['5']],
  [
    'a column of any bytes',
    [['column', Buffer.concat([Buffer.from('f:'), Buffer.from(ODD, 'base64')]).toString('base64')]],
    [LATE],
  ],
  ['versions', [['versions', '2']], [LATE, '5', '1']],
  [
    'a time range',
    [
      ['versions', 'all'],
      ['from', '1'],
      ['to', '5'],
    ],
    ['1'],
  ],
  ['a state as of a time', [['asOf', '4']], ['1']],
  ['a filter', [['filter', "QualifierFilter(=, 'binary:q')"]], ['5']],
  ['a prefix', [['prefix', b64('<scr')]], [LATE, '5']],
  ['a range', [['start', b64('=')]], []],
  ['a range before', [['stop', b64('<')]], []],
] as const)('%s choose cells', async (_, parameters, timestamps) => {
  const page = await rows(['table', 't'], ...parameters.map(([key, value]): [string, string] => [key, value]))
  expect(page.rows.flatMap(({ cells }) => cells.map(({ timestamp }) => timestamp))).toEqual(timestamps)
})

test('pages have each row once, up to the end', async () => {
  const seen: string[] = []
  let next: string | undefined
  let pages = 0
  do {
    const page: ShownPage = await rows(
      ['table', 'many'],
      ['rows', '7'],
      ...(next === undefined ? [] : [['next', next] as [string, string]]),
    )
    expect(page.rows.length).toBeLessThanOrEqual(7)
    seen.push(...page.rows.map(({ row }) => Buffer.from(row, 'base64').toString()))
    next = page.next
    pages++
  } while (next !== undefined)
  expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => `r${i % 10}/${i}`).toSorted())
  expect(pages).toBe(9)
  const prefixed = await rows(['table', 'many'], ['prefix', b64('r3/')], ['rows', '3'])
  const rest = await rows(['table', 'many'], ['prefix', b64('r3/')], ['rows', '30'], ['next', prefixed.next!])
  expect([prefixed.rows.length, rest.rows.length, rest.next]).toEqual([3, 3, undefined])
})

test.each(['null', '5', '[]', '{', '{"at":7}', '{"__proto__":{"at":"eA=="}}'])(
  'a token %s of a next page is refused',
  async (token) => {
    const answer = await rows(['table', 'many'], ['next', b64(token)])
    expect(answer).toMatchObject({ code: 'ILLEGAL_ARGUMENT', error: 'next is not base64' })
  },
)

test('a row that is too wide and a value that is too long are cut, and it is said', async () => {
  await client.change({ kind: 'createTable', table: 'wide', families: [{ name: b64('f') }] })
  const value = Buffer.alloc(300_000, 'v').toString('base64')
  for (let i = 0; i < 8; i++) await client.put('wide', b64('w'), value, { qualifier: b64(`q${i}`) })
  await client.put('wide', b64('x'), b64('short'))
  const page = await rows(['table', 'wide'])
  expect(page.isCut).toBe(false)
  expect(page.rows.map(({ total }) => total)).toEqual([8, 1])
  const [cell] = page.rows[0]!.cells
  expect([cell!.length, Buffer.from(cell!.value, 'base64').length]).toEqual([300_000, 65536])
})

function named(page: ShownPage): string[] {
  return page.rows[0]!.cells.map(({ qualifier }) => Buffer.from(qualifier, 'base64').toString())
}

test('a page has the first 50 cells of a row, and a request for more has the next ones', async () => {
  await client.change({ kind: 'createTable', table: 'columns', families: [{ name: b64('f') }] })
  const row = Buffer.from('w')
  const names = Array.from({ length: 120 }, (_, i) => `q${String(i).padStart(3, '0')}`)
  for (const name of names) await client.put('columns', b64('w'), b64('v'), { qualifier: b64(name) })
  await client.put('columns', b64('x'), b64('short'))
  const page = await rows(['table', 'columns'])
  expect(named(page)).toEqual(names.slice(0, 50))
  expect(page.rows.map(({ total }) => total)).toEqual([120, 1])
  const asked: [string, string] = ['table', 'columns']
  const more = await rows(asked, ['row', row.toString('base64')], ['skip', '50'], ['cells', '60'])
  expect(named(more)).toEqual(names.slice(50, 110))
  expect(more.rows).toHaveLength(1)
})

test.each([
  ['no table', [], 400, 'the parameter table is missing'],
  ['a table that is not there', [['table', 'nowhere']], 404, 'nowhere'],
  [
    'a filter',
    [
      ['table', 't'],
      ['filter', 'PrefixFilter(a'],
    ],
    400,
    'at character 15',
  ],
  [
    'rows',
    [
      ['table', 't'],
      ['rows', '501'],
    ],
    400,
    'rows must be a whole number from 1 to 500',
  ],
  [
    'versions',
    [
      ['table', 't'],
      ['versions', '0'],
    ],
    400,
    'versions must be a whole number',
  ],
  [
    'a timestamp',
    [
      ['table', 't'],
      ['asOf', '9223372036854775808'],
    ],
    400,
    'asOf must be a timestamp',
  ],
  [
    'a time range',
    [
      ['table', 't'],
      ['from', '5'],
      ['to', '2'],
    ],
    400,
    'maxStamp is smaller than minStamp',
  ],
  [
    'a key',
    [
      ['table', 't'],
      ['start', 'not base64!'],
    ],
    400,
    'start is not base64',
  ],
  [
    'a family',
    [
      ['table', 't'],
      ['column', b64('nowhere')],
    ],
    400,
    'nowhere',
  ],
  [
    'a token',
    [
      ['table', 't'],
      ['next', 'AAAA'],
    ],
    400,
    'next is not base64',
  ],
] as const)('the answer to %s states the error', async (_, parameters, status, words) => {
  const query = queryOf(parameters)
  const answer = await client.ask(`/console/api/rows?${query}`)
  expect(answer.status).toBe(status)
  expect(((await answer.json()) as { error: string }).error).toContain(words)
})

function checked(text: string): Promise<object> {
  return client.read('filter', [['text', text]])
}

test('a filter string is shown as the server parses it, or with the position of the wrong character', async () => {
  const { names } = (await checked('')) as { names: string[] }
  expect(names).toContain('SingleColumnValueFilter')
  expect(await checked("PrefixFilter ('a')  AND KeyOnlyFilter()")).toMatchObject({
    printed: "PrefixFilter('a') AND KeyOnlyFilter()",
  })
  expect(await checked("PrefixFilter('a') AND Fo(")).toMatchObject({
    problem: { character: expect.any(Number) },
  })
})

test('the overview tells what runs, and the load how long requests took', async () => {
  const overview = await client.read<Record<string, unknown>>('overview')
  expect(overview).toMatchObject({
    store: 'native',
    hbase: '2.6.1',
    health: { status: 'ok' },
    writes: true,
    slowLogMs: 0,
  })
  const { accounts } = overview['memory'] as { accounts: { name: string; bytes: number }[] }
  expect(accounts.find(({ name }) => name === 'memstores')?.bytes).toBeGreaterThan(0)
  const { kinds, stages } = await client.read<{ kinds: Record<string, unknown>[]; stages: object[] }>('load')
  const posts = kinds.find(({ service, method }) => service === 'console' && method === 'POST')!
  const classes = posts['classes'] as [number, number][]
  expect(classes.reduce((sum, [, count]) => sum + count, 0)).toBe(posts['ok'])
  expect(posts['p99']).toBeGreaterThanOrEqual(posts['p50'] as number)
  expect(stages).toContainEqual({
    name: 'log_append',
    count: expect.any(Number),
    seconds: expect.any(Number),
  })
})

test('tables tell their schema and the load of their regions', async () => {
  const { tables } = await client.read<{ tables: Record<string, unknown>[] }>('tables')
  expect(tables.find(({ name }) => name === 'many')).toMatchObject({
    state: 'ENABLED',
    families: 1,
    regions: 1,
    writes: 60,
  })
  const table = await client.read<Record<string, unknown>>('table', [['name', 'many']])
  expect(table).toMatchObject({ name: 'many', state: 'ENABLED', compaction: 'NONE', regionsTotal: 1 })
  expect(table['families']).toMatchObject([{ name: b64('f'), attributes: { VERSIONS: '3' } }])
  expect(table['regions']).toMatchObject([{ startKey: '', endKey: '', load: { writeRequests: 60 } }])
  expect((await client.ask('/console/api/table?name=nowhere')).status).toBe(404)
  expect(await client.read('compactions')).toEqual({ isThere: true, tables: [] })
})

test('the slow log has its last operations, the latest first', async () => {
  await rows(['table', 'many'])
  const { limitMs, count, operations } = await client.read<{
    limitMs: number
    count: number
    operations: { operation: string; table: string }[]
  }>('slow')
  expect([limitMs, operations[0]]).toMatchObject([0, { operation: 'next', table: 'many' }])
  expect(count).toBeGreaterThanOrEqual(operations.length)
})
