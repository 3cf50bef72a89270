import { expect, test } from 'vitest'
import { META_REGION } from '../../src/model/meta-table.ts'
import {
  parseRegionName,
  parseReplicaName,
  regionName,
  replicaName,
  tableOfRegion,
} from '../../src/model/region-name.ts'
import { parseTableName } from '../../src/model/table-name.ts'

const ADVERTISERS = parseTableName('cow_prod:PROD_COW_ADVERTISER')

test.each([
  ['', '4e07a6ff55c79955bf31343743f4c731'],
  ['1025301', '873c9a5fbb76a473b018b70455e34a75'],
  ['36578', 'd8e0bbbc1f7d309fe267d0f253293717'],
  ['65986', '1125c72c81855a9b0dea8827b73c35d1'],
  ['914954', '089c2c97bd9c91a7ce329ba73bf397e7'],
  ['952259', '31e98fcbe6be6817851cf497a7540726'],
  ['999995', '0a6e14ab1a2f78026ecbcc27e8c321f1'],
])('the region from "%s" is encoded as HBase does it: %s', (startKey, encoded) => {
  const region = regionName(ADVERTISERS, Buffer.from(startKey), 1425422180311)
  expect(region.encodedName).toBe(encoded)
  expect(region.name.toString()).toBe(`cow_prod:PROD_COW_ADVERTISER,${startKey},1425422180311.${encoded}.`)
})

test('a start key of any bytes goes into the name as it is', () => {
  const { name } = regionName(parseTableName('t'), Buffer.from([0x00, 0xff, 0x80]), 7)
  expect(name.subarray(0, 8).toString('hex')).toBe('742c00ff802c372e')
})

test('a name says whose region it is, whatever its start key', () => {
  const table = parseTableName('ns:t')
  for (const startKey of [Buffer.alloc(0), Buffer.from('a,b.c'), Buffer.from([0, 0xff, 0x2c, 0x2c])]) {
    const { name, encodedName } = regionName(table, startKey, 1_700_000_000_000)
    expect(parseRegionName(name)).toEqual({ table, encodedName })
  }
  for (const other of ['t', 't,', 't,,', 't,1.0123456789abcdef0123456789abcdef.', 't,,1', 'hbase:meta,,1']) {
    expect(parseRegionName(Buffer.from(other))).toBeUndefined()
  }
})

test('a copy of a region has its number in its name, and in the digest', () => {
  const table = parseTableName('ns:t')
  for (const startKey of [Buffer.alloc(0), Buffer.from('a,b.c_0001.'), Buffer.from([0, 0xff, 0x2c, 0x2c])]) {
    const first = regionName(table, startKey, 1_700_000_000_000)
    for (const replica of [1, 10, 0xffff]) {
      const copy = replicaName(first.name, replica)
      expect(copy.encodedName).not.toBe(first.encodedName)
      expect(parseReplicaName(copy.name)).toEqual({ replica, first })
      expect(parseRegionName(copy.name)).toBeUndefined()
      expect(tableOfRegion(copy.name)).toBe(table)
    }
    expect(parseReplicaName(first.name)).toBeUndefined()
  }
  const copy = replicaName(regionName(table, Buffer.alloc(0), 1_700_000_000_000).name, 1).name.toString()
  expect(copy).toMatch(/^ns:t,,1700000000000_0001\.[0-9a-f]{32}\.$/)
  for (const name of ['hbase:meta,,1_0001', 'hbase:meta,,1_0001.534574363'])
    expect(parseReplicaName(Buffer.from(name))).toMatchObject({ replica: 1, first: META_REGION })
  expect(replicaName(META_REGION.name, 1)).toEqual({
    name: Buffer.from('hbase:meta,,1_0001'),
    encodedName: '534574363',
  })
  const strange = [
    'hbase:meta,,1_0000',
    'hbase:meta,,1',
    copy.replace(/_0001/, '_0002'),
    copy.replace(/_0001/, '_0000'),
    copy.slice(0, -1),
    '_0001.',
  ]
  for (const name of strange) expect(parseReplicaName(Buffer.from(name))).toBeUndefined()
})
