/** Tables that have switched HBase's sanity checks off, with attributes that those would refuse. */

import { describe, expect, it } from 'vitest'
import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { StoreUnderTest, TABLE } from './store-under-test.ts'

type Attribute = readonly [string, string]

function unchecked(ofFamily: readonly Attribute[], ofTable: readonly Attribute[] = []): TableDescriptor {
  const attributes: Attribute[] = [['hbase.table.sanity.checks', 'false'], ...ofTable]
  return tableDescriptor(TABLE, [familyDescriptor('f', ofFamily)], attributes)
}

const FAMILIES: readonly Attribute[] = [
  ['COMPRESSION', 'LZO'],
  ['COMPRESSION', 'nonsense'],
  ['COMPRESSION_COMPACT', 'LZO'],
  ['BLOCKSIZE', '0'],
  ['BLOCKSIZE', '-5'],
  ['BLOCKSIZE', '2147483647'],
  ['BLOOMFILTER', 'nonsense'],
  ['IN_MEMORY_COMPACTION', 'nonsense'],
  ['TTL', '-1'],
  ['MIN_VERSIONS', '5'],
  ['REPLICATION_SCOPE', '9'],
]
const TABLES: readonly Attribute[] = [
  ['MAX_FILESIZE', '-1'],
  ['MEMSTORE_FLUSHSIZE', '-1'],
  ['SPLIT_POLICY', 'nonsense'],
  ['REGION_REPLICATION', '0'],
]

describe('a table without sanity checks', () => {
  it.each([
    ...FAMILIES.map((attribute) => [attribute, unchecked([attribute])] as const),
    ...TABLES.map((attribute) => [attribute, unchecked([], [attribute])] as const),
  ])('loses nothing with %s, and the store starts with it', async (_, table) => {
    const session = await StoreUnderTest.open()
    await session.createTable(table)
    const value = 'v'.repeat(1000)
    await session.put(['a', 'b', 'c'], { value })
    await session.flush()
    await session.put(['d'], { value })
    await session.flush()
    const compactions = session.store.upkeep.compactions!
    await compactions.compactTable(TABLE, { major: true }, OWN_CALL)
    while ((await compactions.compactionState(TABLE, OWN_CALL)) !== 'NONE')
      await new Promise((resolve) => setImmediate(resolve))
    await session.put(['e'], { value })
    const all = ['a', 'b', 'c', 'd', 'e'].map((row) => `${row}=${value}`)
    expect(await session.rows()).toEqual(all)
    expect(session.logged).toEqual([])
    const again = await session.killed()
    expect(await again.rows()).toEqual(all)
    const other = tableDescriptor(parseTableName('other'), [familyDescriptor('f')])
    await again.store.catalog.createTable(other, [], OWN_CALL)
    await again.store.close()
    expect(again.logged.filter((line) => line.startsWith('error'))).toEqual([])
  })
})
