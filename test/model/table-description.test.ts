import { expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { describeTable, noSuchColumnFamily } from '../../src/model/table-description.ts'
import { parseTableName } from '../../src/model/table-name.ts'

test('the attributes that HBase reserves stand before the others, sizes in words', () => {
  const attributes = [
    ['SPLIT_ENABLED', 'true'],
    ['MAX_FILESIZE', '1073741824'],
    ['OWNER', 'x'],
    ['DURABILITY', 'SYNC_WAL'],
    ['MEMSTORE_FLUSHSIZE', '134217728'],
  ] as const
  const table = tableDescriptor(parseTableName('t'), [familyDescriptor('f')], attributes)
  expect(describeTable(table)).toContain(
    "'t', {TABLE_ATTRIBUTES => {DURABILITY => 'SYNC_WAL', MAX_FILESIZE => '1073741824 B (1GB)', " +
      "MEMSTORE_FLUSHSIZE => '134217728 B (128MB)', METADATA => {'OWNER' => 'x', 'SPLIT_ENABLED' => 'true', " +
      "'hbase.store.file-tracker.impl' => 'DEFAULT'}}}, {NAME => 'f'",
  )
})

test('of a family, too, what HBase does not reserve is metadata', () => {
  const family = familyDescriptor('f', [
    ['IN_MEMORY_COMPACTION', 'NONE'],
    ['NEW_VERSION_BEHAVIOR', 'true'],
    ['IS_MOB', 'true'],
    ['TTL', '60'],
  ])
  const text = describeTable(tableDescriptor(parseTableName('t'), [family]))
  expect(text).toMatch(
    /, METADATA => \{'IN_MEMORY_COMPACTION' => 'NONE', 'NEW_VERSION_BEHAVIOR' => 'true'\}\}$/,
  )
  expect(text).toContain("IS_MOB => 'true'")
  expect(text).toContain("TTL => '60 SECONDS (1 MINUTE)'")
})

test('the configuration of a family stands behind its attributes', () => {
  const family = { ...familyDescriptor('f'), configuration: new Map([['hbase.hstore.compaction.min', '4']]) }
  expect(describeTable(tableDescriptor(parseTableName('t'), [family]))).toMatch(
    /, CONFIGURATION => \{'hbase.hstore.compaction.min' => '4'\}\}$/,
  )
})

test('the region of an error has its bytes as HBase shows them', () => {
  const table = tableDescriptor(parseTableName('t'), [familyDescriptor('f')])
  const name = Buffer.from('t,m\xff,1.ab.', 'latin1')
  expect(noSuchColumnFamily(Buffer.from('g'), name, table).message).toContain(
    'in region t,m\\xFF,1.ab. in table',
  )
})
