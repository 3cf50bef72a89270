import { setImmediate as nextRound } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { type AdvertisedStore, advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../src/gateway/catalog/system-tables/system-tables.ts'
import type { CellParts } from '../../../../src/model/cell.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import type { Filter } from '../../../../src/model/filter.ts'
import { META_TABLE } from '../../../../src/model/meta-table.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { ColumnsBuilder, get, type Scan, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'

const SERVER = { host: 'localhost', port: 27103, startCode: 1_795_352_091_265 }
/** The time of creation in HBase's row, with which a test compares ours. */
const MADE_AT = 1_795_352_140_977
const NAMESPACES = parseTableName('hbase:namespace')
const LIMITS = { rows: 1000, bytes: 1_000_000, allowPartial: false }

let store: AdvertisedStore

beforeEach(async () => {
  const memory = openMemoryStore({ clock: { now: () => MADE_AT } })
  store = withSystemTables(advertised(memory, SERVER), SERVER)
  await create('mt')
})

afterEach(async () => {
  await store.close()
})

async function create(name: string, ...splitKeys: string[]): Promise<void> {
  const table = tableDescriptor(parseTableName(name), [familyDescriptor('f')])
  await store.catalog.createTable(
    table,
    splitKeys.map((key) => Buffer.from(key, 'latin1')),
    OWN_CALL,
  )
}

async function scanned(table = META_TABLE, query: Partial<Scan> = {}): Promise<CellParts[]> {
  const { id } = await store.rows.openScanner(table, scan(query), OWN_CALL)
  const { results, ended } = await store.handouts.next(id, LIMITS, OWN_CALL)
  expect(ended).toBe('scan')
  await store.handouts.closeScanner(id)
  return cellsOf(gathered(results).cells)
}

function rowsOf(cells: readonly CellParts[]): string[] {
  return [...new Set(cells.map(({ row }) => row.toString('latin1')))]
}

function textsOf({ row, family, qualifier, value }: CellParts): string[] {
  return [row, family, qualifier, value].map((bytes) => bytes.toString('latin1'))
}

/** Turns of the event loop during the work, where each look at the clock takes 5 ms. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  // Earlier work takes part in the turns of this round.
  for (let round = 0; round < 2; round++) await nextRound()
  let nowMs = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5))
  let turns = 0
  let counting = setImmediate(function count() {
    turns++
    counting = setImmediate(count)
  })
  await work()
  clearImmediate(counting)
  vi.restoreAllMocks()
  return turns
}

describe('hbase:meta', () => {
  test('has a row for each table and each region, with the bytes that HBase has there', async () => {
    const cells = await scanned(META_TABLE, { startRow: Buffer.from('mt') })
    const texts = cells.map((cell) => {
      const [row, family, qualifier, value] = textsOf(cell)
      return `${row}/${family}:${qualifier}=${value}`
    })
    const region = 'mt,,1795352140977.db38a2af09d43fdac7949f1fd420c185.'
    expect(texts).toEqual([
      'mt/table:state=\x08\x00',
      `${region}/info:regioninfo=PBUF\x08\xb1\xb9\xce\x9a\xa04\x12\r\n\x07default\x12\x02mt\x1a\x00"\x00(\x000\x008\x00`,
      `${region}/info:seqnumDuringOpen=\x00\x00\x00\x00\x00\x00\x00\x02`,
      `${region}/info:server=localhost:27103`,
      `${region}/info:serverstartcode=\x00\x00\x01\xa2\x03R\xda\x81`,
      `${region}/info:sn=localhost,27103,1795352091265`,
      `${region}/info:state=OPEN`,
    ])
  })

  test('tells of a disabled table', async () => {
    await store.catalog.disableTable(parseTableName('mt'), OWN_CALL)
    const columns = new ColumnsBuilder()
      .addColumn(Buffer.from('table'), Buffer.from('state'))
      .addColumn(Buffer.from('info'), Buffer.from('state'))
      .build()
    const cells = await scanned(META_TABLE, { startRow: Buffer.from('mt'), columns })
    expect(cells.map(({ value }) => value.toString('latin1'))).toEqual(['\x08\x01', 'CLOSED'])
  })

  test('has its rows by table, start key and region id, forwards and back', async () => {
    // The byte + is less than the comma after a start key in a name, and yet `a+` comes after `a`.
    await create('t', 'a', 'a+', 'a,b')
    const starts = (await scanned()).flatMap(({ row, qualifier }) => {
      const [table, ...rest] = row.toString('latin1').split(',')
      return table === 't' && qualifier.toString() === 'state' ? [rest.slice(0, -1).join(',')] : []
    })
    expect(starts).toEqual(['', '', 'a', 'a+', 'a,b'])
    const forwards = rowsOf(await scanned())
    expect(rowsOf(await scanned(META_TABLE, { reversed: true }))).toEqual(forwards.toReversed())
    const last = Buffer.from('t,a+,99999999999999')
    const [before] = rowsOf(await scanned(META_TABLE, { reversed: true, startRow: last }))
    expect(before).toMatch(/^t,a\+,1795352140977\./)
  })

  test('is got by row, listed, described and located', async () => {
    const results = await store.rows.get(
      META_TABLE,
      [get(Buffer.from('mt')), get(Buffer.from('missing'))],
      { bytes: 1000 },
      OWN_CALL,
    )
    expect(results.counts).toEqual([1, 0])
    const listed = await store.catalog.listSystemTables(OWN_CALL)
    expect(listed.map(({ name }) => name)).toEqual([META_TABLE, NAMESPACES])
    expect((await store.catalog.listTables(OWN_CALL)).map(({ name }) => name)).toEqual(['mt'])
    expect(await store.catalog.tableExists(META_TABLE, OWN_CALL)).toBe(true)
    const [region] = await store.catalog.regions(META_TABLE, OWN_CALL)
    expect(region).toMatchObject({ encodedName: '1588230740', server: SERVER })
    const target = { table: META_TABLE, encodedName: '1588230740' }
    expect((await store.rows.openScanner(target, scan(), OWN_CALL)).id).toBeLessThan(0)
    const stale = { table: META_TABLE, encodedName: '0123456789abcdef0123456789abcdef' }
    await expect(store.rows.openScanner(stale, scan(), OWN_CALL)).rejects.toMatchObject({
      code: 'NOT_SERVING_REGION',
    })
  })

  test('lets others have their turns while a large filter is made ready, and while many rows are passed over', async () => {
    await create('many', ...Array.from({ length: 500 }, (_, i) => `s${i}`))
    const filters = Array.from(
      { length: 500 },
      (_, i): Filter => ({ kind: 'PrefixFilter', prefix: Buffer.from(`missing${i}`) }),
    )
    const filter: Filter = { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters }
    const row = Buffer.from('many')
    const got = async (): Promise<unknown> =>
      store.rows.get(META_TABLE, [get(row, { filter })], { bytes: 1000 }, OWN_CALL)
    expect(await turnsOf(got)).toBeGreaterThan(1)
    const { id } = await store.rows.openScanner(META_TABLE, scan({ filter }), OWN_CALL)
    expect(await turnsOf(() => store.handouts.next(id, LIMITS, OWN_CALL))).toBeGreaterThan(100)
  })

  test('refuses what HBase refuses, and writes', async () => {
    const { catalog, rows } = store
    const meta = await catalog.table(META_TABLE, OWN_CALL)
    const refused: readonly (readonly [() => Promise<unknown>, string, string])[] = [
      [() => catalog.createTable(meta, [], OWN_CALL), 'TABLE_EXISTS', META_TABLE],
      [() => catalog.deleteTable(META_TABLE, OWN_CALL), 'REFUSED', "Can't modify catalog tables"],
      [() => catalog.truncateTable(META_TABLE, true, OWN_CALL), 'TABLE_NOT_DISABLED', META_TABLE],
      [
        () => catalog.enableTable(META_TABLE, OWN_CALL),
        'TABLE_NOT_DISABLED',
        'tableName=hbase:meta, state=ENABLED',
      ],
      [() => catalog.disableTable(META_TABLE, OWN_CALL), 'CONSTRAINT', 'Cannot disable hbase:meta'],
      [() => catalog.disableTable(NAMESPACES, OWN_CALL), 'CONSTRAINT', 'Cannot disable hbase:namespace'],
    ]
    for (const [change, code, message] of refused) {
      await expect(change()).rejects.toSatisfy(
        (error) => error instanceof HBaseError && error.code === code && error.message === message,
      )
    }
    await expect(rows.mutate(META_TABLE, new MutationBatch(), OWN_CALL)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    })
  })
})

test('a store with system tables of its own stays as it is', async () => {
  const memory = openMemoryStore({ clock: { now: () => MADE_AT } })
  Object.assign(memory.catalog, { hasSystemTables: true })
  const withOwn = advertised(memory, SERVER)
  expect(withSystemTables(withOwn, SERVER)).toBe(withOwn)
  await memory.close()
})

test('hbase:namespace has a row for each namespace', async () => {
  const properties = new Map([['a', 'b']])
  await store.catalog.createNamespace({ name: 'ns', properties }, OWN_CALL)
  const cells = await scanned(NAMESPACES)
  expect(cells.map(textsOf).map(([row, , , value]) => `${row}=${value}`)).toEqual([
    'default=\n\x07default',
    'hbase=\n\x05hbase',
    'ns=\n\x02ns\x12\x06\n\x01a\x12\x01b',
  ])
})
