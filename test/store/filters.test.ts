/** Scans and gets with filters, in both stores. */

import { describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { openScanner } from '../../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import type { Filter } from '../../src/model/filter.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { type Scan, scan } from '../../src/model/query.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { CrashableFileSystem } from '../harness/simulation/crashable-file-system.ts'
import { bytes, drain, TestClock } from './suite/store-under-test.ts'

const name = parseTableName('t')
const clock = new TestClock()

async function filled(store: Store): Promise<Store> {
  await store.catalog.createTable(
    tableDescriptor(name, [familyDescriptor('f', [['VERSIONS', '2']]), familyDescriptor('g')]),
    [bytes('m')],
    OWN_CALL,
  )
  const batch = new MutationBatch()
  for (const row of ['a', 'b', 'm', 'n']) {
    for (const qualifier of ['a', 'c'])
      batch.cell(bytes(row), bytes('f'), bytes(qualifier), 4, 1n, bytes(row))
    batch.cell(bytes(row), bytes('f'), bytes('c'), 4, 2n, bytes('new'))
    batch.cell(bytes(row), bytes('g'), bytes('x'), 4, 1n, bytes(''))
    batch.endMutation()
  }
  await store.rows.mutate(name, batch, OWN_CALL)
  return store
}

const stores: readonly [string, () => Promise<Store>][] = [
  ['memory', async () => openMemoryStore({ clock })],
  [
    'native',
    async () =>
      openNativeStore({
        directory: '/store',
        fileSystem: new CrashableFileSystem(),
        clock,
        random: () => 0.5,
        options: {},
      }),
  ],
]

const b: Filter = { kind: 'ColumnPrefixFilter', prefix: bytes('b') }
const EITHER_B: Filter = { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters: [b, b] }
const PAGE: Filter = { kind: 'PageFilter', pageSize: 1n }
const OLD: Filter = {
  kind: 'ValueFilter',
  operator: 'EQUAL',
  comparator: { kind: 'BinaryComparator', value: bytes('a') },
}
/** It needs to see the family f only. */
const NEW: Filter = {
  kind: 'SingleColumnValueFilter',
  family: bytes('f'),
  qualifier: bytes('c'),
  operator: 'EQUAL',
  comparator: { kind: 'BinaryComparator', value: bytes('new') },
  filterIfMissing: true,
  latestVersionOnly: true,
}
const KEYS: Filter = { kind: 'KeyOnlyFilter', lengthAsValue: true }

describe.each(stores)('%s', (_, open) => {
  async function rowsOf(query: Partial<Scan>): Promise<string[]> {
    const store = await filled(await open())
    try {
      return await drain(await openScanner(store, name, scan(query), OWN_CALL))
    } finally {
      await store.close()
    }
  }

  test('a hint back into the row does not hold up a reversed scan', async () => {
    expect(await rowsOf({ filter: EITHER_B, reversed: true })).toEqual([])
  })

  test('a page is one of each region', async () => {
    const found = await rowsOf({ filter: PAGE })
    expect(found.map((row) => row[0])).toEqual(['a', 'm'])
  })

  test('versions count for the family before the filter, for the query after it', async () => {
    expect(await rowsOf({ filter: OLD, maxVersions: 1 })).toEqual(['a/f:a@1=a a/f:c@1=a'])
  })

  test('values by their length', async () => {
    const found = await rowsOf({ filter: KEYS, stopRow: bytes('b') })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain('a/f:c@2=\\x00\\x00\\x00\\x03')
  })

  test('backwards no families are read on demand, but all at once if the scan says so', async () => {
    const backwards = { filter: NEW, reversed: true, startRow: bytes('n'), stopRow: bytes('m') }
    await expect(rowsOf(backwards)).rejects.toThrow(
      'Reverse scan with loading CFs on demand is not supported',
    )
    expect(await rowsOf({ ...backwards, familiesOnDemand: false })).toEqual([
      'n/f:a@1=n n/f:c@2=new n/g:x@1=',
    ])
  })

  test('parts of rows cannot be had of filters of whole ones', async () => {
    await expect(rowsOf({ filter: PAGE, batch: 2 })).rejects.toThrow(
      'Cannot set batch on a scan using a filter that returns true for filter.hasFilterRow',
    )
  })
})
