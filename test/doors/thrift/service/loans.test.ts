/** The door gives lent memory back once it has read it, and not before. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import type { LentResults } from '../../../../src/model/results.ts'
import { withMethods } from '../../../../src/store/decorate.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { DIALECTS, startThriftServer, type ThriftServer } from './thrift-server.ts'

const ROWS = Array.from({ length: 60 }, (_, i) => `row${String(i).padStart(4, '0')}`)
const VALUE = 'v'.repeat(200)

let server: ThriftServer
const lent: number[] = []
const released: number[] = []

function noted<Lent extends LentResults>(results: Lent): Lent {
  if (results.loan !== undefined) lent.push(results.loan)
  return results
}

function watched({ rows, handouts }: Store): Pick<Store, 'rows' | 'handouts'> {
  return {
    rows: withMethods(rows, {
      get: async (...args) => noted(await rows.get(...args)),
    } satisfies Partial<Store['rows']>),
    handouts: withMethods(handouts, {
      next: async (...args) => {
        const batch = await handouts.next(...args)
        noted(batch.results)
        return batch
      },
      release: (loan) => {
        released.push(loan)
        handouts.release(loan)
      },
    } satisfies Partial<Store['handouts']>),
  }
}

beforeAll(async () => {
  const store = await openNativeStore({
    directory: '/store',
    fileSystem: new CrashableFileSystem(),
    clock: { now: Date.now },
    random: Math.random,
    options: { poisonReleased: true },
  })
  server = await startThriftServer({}, watched, store)
  const client = server.thrift1()
  await client['createTable']!('t', [{ name: 'f' }])
  const batches = ROWS.map((row) => ({ row, mutations: [{ column: 'f:q', value: row + VALUE }] }))
  await client['mutateRows']!('t', batches, {})
})
afterAll(() => server.close())
beforeEach(() => {
  lent.length = 0
  released.length = 0
})

interface Row {
  readonly row: Buffer
  readonly columns: Readonly<Record<string, { readonly value: Buffer }>> | null
  readonly sortedColumns: readonly { readonly cell: { readonly value: Buffer } }[] | null
}

function valuesOf(rows: unknown): string[] {
  return (rows as Row[]).map(({ columns, sortedColumns }) =>
    (columns === null ? sortedColumns![0]!.cell : columns['f:q']!).value.toString(),
  )
}

const values = (from: number, to: number): string[] => ROWS.slice(from, to).map((row) => row + VALUE)

describe.each(DIALECTS)('$name', (dialect) => {
  test.each([{ sortColumns: false }, { sortColumns: true }])('whole pages of Thrift 1, %o', async (scan) => {
    const client = server.thrift1(dialect)
    const id = await client['scannerOpenWithScan']!('t', { caching: 20, ...scan }, {})
    for (let from = 0; from < 60; from += 20) {
      expect(valuesOf(await client['scannerGetList']!(id, 20))).toEqual(values(from, from + 20))
    }
    expect(lent).toHaveLength(3)
    expect(released).toEqual(lent)
  })

  test('parts of pages', async () => {
    const client = server.thrift1(dialect)
    const id = await client['scannerOpenWithScan']!('t', { caching: 40 }, {})
    for (let from = 0; from < 60; from += 15) {
      expect(valuesOf(await client['scannerGetList']!(id, 15))).toEqual(values(from, from + 15))
    }
    expect(lent).not.toHaveLength(0)
  })

  test('gets, and scans of Thrift 2', async () => {
    const thrift1 = server.thrift1(dialect)
    expect(valuesOf(await thrift1['getRow']!('t', ROWS[7], {}))).toEqual(values(7, 8))
    expect(valuesOf(await thrift1['getRows']!('t', ROWS.slice(0, 9), {}))).toEqual(values(0, 9))
    const thrift2 = server.thrift2(dialect)
    const results = (await thrift2['getScannerResults']!('t', {}, 60)) as {
      columnValues: { value: Buffer }[]
    }[]
    expect(results.map(({ columnValues }) => columnValues[0]!.value.toString())).toEqual(values(0, 60))
    expect(lent).not.toHaveLength(0)
    expect(released).toEqual(lent)
  })
})
