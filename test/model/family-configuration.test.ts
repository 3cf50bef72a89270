import { expect, test } from 'vitest'
import { descriptorOfRecord, familyRecords } from '../../adapters/native/manifest/catalog.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName } from '../../src/model/table-name.ts'

test('the catalog keeps a family’s configuration beside its attributes', () => {
  const family = familyDescriptor('f', [['VERSIONS', '3']], new Map([['conf.own', 'kept']]))
  const table = tableDescriptor(parseTableName('t'), [family, familyDescriptor('g')])
  const families = familyRecords(table, [], 0)
  const read = descriptorOfRecord({ name: 't', attributes: [], families })
  expect(read.families).toEqual(table.families)
  expect(read.families[0]!.attributes.has('conf.own')).toBe(false)
})
