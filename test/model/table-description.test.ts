import { expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { describeTable } from '../../src/model/table-description.ts'
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
