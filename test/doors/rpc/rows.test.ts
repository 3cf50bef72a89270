/** Reads and writes through the native RPC door have the same answers as those of the store itself. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../../src/model/cell-block.ts'
import type { Filter } from '../../../src/model/filter.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type RowPart,
  valueCondition,
} from '../../../src/model/mutation.ts'
import { type Get, get, type Scan, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

const [F, G] = [Buffer.from('f'), Buffer.from('g')]
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

let server: RpcServer

beforeEach(async () => {
  server = await startRpcServer()
  const batch = new MutationBatch()
  for (let i = 0; i < 60; i++) {
    const row = bytes(`${String.fromCharCode(97 + (i % 26))}${i}\u00ff\u0000`)
    batch.put(row, F, bytes('q'), bytes(`v${i}`), BigInt(1000 + i))
    batch.put(row, F, bytes('q'), bytes(`w${i}`), BigInt(2000 + i))
    batch.put(row, G, bytes('\u0000x'), Buffer.alloc(i * 100, i), BigInt(i)).endMutation()
  }
  expect(await server.remote.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
})

afterEach(() => server.close())

function text({ row, family, qualifier, timestamp, type, value }: CellParts): string {
  const key = [row, family, qualifier].map((part) => part.toString('latin1')).join(' ')
  return `${key} ${timestamp} ${type} ${value.toString('latin1')}`
}

async function gets(store: Store, asked: readonly Get[]): Promise<unknown> {
  const { cells, counts } = await store.rows.get(TABLE, asked, { bytes: 1 << 24 }, OWN_CALL)
  return { counts: [...counts], cells: cellsOf(cells).map(text) }
}

async function scanned(store: Store, asked: Scan, rows: number): Promise<string[]> {
  const { id } = await store.rows.openScanner(TABLE, asked, OWN_CALL)
  const found: string[] = []
  for (let ended = 'batch'; ended !== 'scan'; ) {
    const batch = await store.handouts.next(id, { rows, bytes: 5000, allowPartial: false }, OWN_CALL)
    ended = batch.ended
    found.push(...cellsOf(gathered(batch.results).cells).map(text))
  }
  await store.handouts.closeScanner(id)
  return found
}

test('a raw get has tombstones, and what they hide', async () => {
  const batch = new MutationBatch()
  batch.put(bytes('hidden'), F, bytes('q'), bytes('v'), 5n).endMutation()
  batch.deleteColumn(bytes('hidden'), F, bytes('q'), 9n).endMutation()
  expect(await server.remote.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  const types = [false, true].map(async (raw) => {
    const asked = [get(bytes('hidden'), { raw, maxVersions: 5 })]
    const { cells } = await server.remote.rows.get(TABLE, asked, { bytes: 1 << 24 }, OWN_CALL)
    return cellsOf(cells).map(({ type }) => type)
  })
  expect(await Promise.all(types)).toEqual([[], [CellType.DeleteColumn, CellType.Put]])
})

function eight(value: bigint): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(value)
  return buffer
}

test('gets, one and many, with columns, versions, times and filters', async () => {
  const rows = ['a0\u00ff\u0000', 'n13\u00ff\u0000', 'missing'].map(bytes)
  const options = [
    {},
    { maxVersions: 3 },
    { columns: [{ family: F, qualifiers: [bytes('q')] }] },
    { timeRange: TimeRange.between(0n, 1500n) },
    { filter: { kind: 'KeyOnlyFilter', lengthAsValue: false } as const },
    { familyTimeRanges: new Map([['f', TimeRange.between(0n, 1500n)]]) },
  ]
  for (const option of options) {
    const asked = rows.map((row) => get(row, option))
    expect(await gets(server.remote, asked)).toEqual(await gets(server.store, asked))
  }
})

/** A filter that only needs the family f: a reversed scan must read g, too. */
const OF_F: Filter = {
  kind: 'SingleColumnValueFilter',
  family: F,
  qualifier: bytes('q'),
  operator: 'NOT_EQUAL',
  comparator: { kind: 'BinaryComparator', value: bytes('none') },
  filterIfMissing: true,
  latestVersionOnly: true,
}

describe.each([1, 7, 1000])('scans in pages of %i rows', (rows) => {
  test.each([
    ['all', scan()],
    ['of several versions', scan({ maxVersions: 5 })],
    ['backwards', scan({ reversed: true })],
    ['of some rows', scan({ startRow: bytes('c'), stopRow: bytes('p'), includeStopRow: true })],
    ['behind a row', scan({ startRow: bytes('n13\u00ff\u0000'), includeStartRow: false })],
    ['of parts of rows', scan({ batch: 1 })],
    ['with a limit', scan({ limit: 11 })],
    ['with a filter', scan({ filter: { kind: 'PrefixFilter', prefix: bytes('n') } })],
    [
      'backwards, with a filter on one family',
      scan({ reversed: true, familiesOnDemand: false, filter: OF_F }),
    ],
    ['raw', scan({ raw: true, maxVersions: 10 })],
  ])('%s', async (_, asked) => {
    expect(await scanned(server.remote, asked, rows)).toEqual(await scanned(server.store, asked, rows))
  })
})

test('deletes, increments, appends and conditions', async () => {
  const { remote, store } = server
  const row = bytes('row')
  const cell = (qualifier: string, value: Buffer): CellParts => ({
    row,
    family: F,
    qualifier: bytes(qualifier),
    timestamp: 0x7fffffffffffffffn,
    type: CellType.Put,
    value,
  })
  const change = (operations: Parameters<Store['rows']['mutateRow']>[1]['operations'], more = {}) =>
    remote.rows.mutateRow(TABLE, { row, operations, options: DEFAULT_MUTATION_OPTIONS, ...more }, OWN_CALL)
  const up = await change([{ kind: 'increment', cells: blockOf([cell('n', eight(-(2n ** 63n)))]) }])
  expect(cellsOf(up.results.cells).map(({ value }) => value.readBigInt64BE())).toEqual([-(2n ** 63n)])
  const longer = await change([{ kind: 'append', cells: blockOf([cell('s', bytes('ab'))]) }])
  expect(cellsOf(longer.results.cells).map(({ value }) => value.toString())).toEqual(['ab'])
  const put = [{ kind: 'mutate' as const, cells: blockOf([cell('c', bytes('new'))]) }]
  const condition = valueCondition(F, bytes('s'), 'EQUAL', bytes('other'))
  expect((await change(put, { condition })).applied).toBe(false)
  const held = valueCondition(F, bytes('s'), 'EQUAL', bytes('ab'))
  expect((await change(put, { condition: held })).applied).toBe(true)
  const batch = new MutationBatch()
  batch.deleteRow(row).endMutation()
  batch.deleteColumn(bytes('a0\u00ff\u0000'), F, bytes('q')).endMutation()
  expect(await remote.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  expect(await gets(store, [get(row)])).toMatchObject({ counts: [0] })
})

function putOf(row: string): RowPart {
  return {
    row: bytes(row),
    operations: [
      {
        kind: 'mutate',
        cells: new MutationBatch().put(bytes(row), F, bytes('multi'), bytes(''), 7n).cells.block(),
      },
    ],
    options: DEFAULT_MUTATION_OPTIONS,
  }
}

test('changes of several rows, under conditions', async () => {
  const { remote, store } = server
  const check = (value: string): RowPart => ({
    ...putOf('m1'),
    operations: [],
    condition: valueCondition(F, bytes('multi'), 'EQUAL', bytes(value)),
  })
  const change = (...parts: RowPart[]): Promise<boolean> => remote.rows.mutateRows(TABLE, { parts }, OWN_CALL)
  expect(await change(putOf('m1'), putOf('m2'), check('other'))).toBe(false)
  expect(await change(putOf('m1'), putOf('m2'), check(''))).toBe(true)
  expect(
    await gets(
      store,
      ['m1', 'm2'].map((row) => get(bytes(row))),
    ),
  ).toMatchObject({ counts: [1, 1] })
})

test('errors keep their class: a family and a table that are not there', async () => {
  const batch = new MutationBatch()
  batch.put(bytes('a'), bytes('nope'), bytes('q'), bytes('v')).endMutation()
  batch.put(bytes('b'), F, bytes('q'), bytes('v')).endMutation()
  const failures = await server.remote.rows.mutate(TABLE, batch, OWN_CALL)
  expect(failures.map(({ index, error }) => [index, error.code])).toEqual([[0, 'NO_SUCH_COLUMN_FAMILY']])
  const missing = server.remote.rows.get('zzz' as typeof TABLE, [get(bytes('a'))], { bytes: 1000 }, OWN_CALL)
  await expect(missing).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
})

test('memory that calls took is given back', async () => {
  await scanned(server.remote, scan(), 1000)
  await expect.poll(() => server.memory.granted).toBe(0)
})
