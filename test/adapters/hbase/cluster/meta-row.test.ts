import { describe, expect, test } from 'vitest'
import { metaRegion, NO_SERVER, readMetaRows } from '../../../../adapters/hbase/cluster/meta-row.ts'
import { readZnode } from '../../../../adapters/hbase/registry/znode-value.ts'
import { blockOf } from '../../../../src/model/cell-block.ts'
import { metaBlock, SERVER_A, SERVER_B } from './fake-meta.ts'

describe('a row of hbase:meta', () => {
  test('is a region with its server', () => {
    const block = metaBlock([
      { table: 'ns:t', startKey: '', endKey: 'g', regionId: 7, server: SERVER_A, openSequenceId: 12 },
      { table: 'ns:t', startKey: 'g', endKey: '', regionId: 8, server: SERVER_B },
    ])
    const regions = readMetaRows(block)
    expect(regions).toMatchObject([
      { table: 'ns:t', endKey: Buffer.from('g'), regionId: 7, server: SERVER_A, openSequenceId: 12 },
      { table: 'ns:t', startKey: Buffer.from('g'), regionId: 8, server: SERVER_B, openSequenceId: 2 },
    ])
    expect(regions[0]!.name.toString()).toBe(`ns:t,,7.${regions[0]!.encodedName}.`)
  })

  test('keeps nothing of the block that it was in', () => {
    const block = metaBlock([{ table: 't', startKey: 'a', endKey: 'b', server: SERVER_A }])
    const [region] = readMetaRows(block)
    block.buffer.fill(0)
    expect(region).toMatchObject({ startKey: Buffer.from('a'), endKey: Buffer.from('b'), server: SERVER_A })
  })

  test('is no region where it was split, or has no regioninfo', () => {
    const split = metaBlock([{ table: 't', startKey: '', endKey: '', server: SERVER_A, isSplit: true }])
    const other = blockOf([
      {
        row: Buffer.from('t,,1'),
        family: Buffer.from('info'),
        qualifier: Buffer.from('server'),
        timestamp: 1n,
        type: 4,
        value: Buffer.from('a:1'),
      },
    ])
    expect([readMetaRows(split), readMetaRows(other)]).toEqual([[], []])
  })

  test('without a server says so', () => {
    const [region] = readMetaRows(metaBlock([{ table: 't', startKey: '', endKey: '' }]))
    expect(region!.server).toBe(NO_SERVER)
  })

  test.each(['PBUF\xff\xff', 'something else'])('with %j as its regioninfo is corrupt', (value) => {
    const block = blockOf([
      {
        row: Buffer.from('t,,1'),
        family: Buffer.from('info'),
        qualifier: Buffer.from('regioninfo'),
        timestamp: 1n,
        type: 4,
        value: Buffer.from(value, 'latin1'),
      },
    ])
    expect(() => readMetaRows(block)).toThrow(expect.objectContaining({ code: 'CORRUPTION' }))
  })

  test('of hbase:meta itself is not needed', () => {
    expect(metaRegion({ server: SERVER_A, copies: [] })).toMatchObject({
      name: Buffer.from('hbase:meta,,1'),
      encodedName: '1588230740',
    })
  })
})

describe('the value of a znode', () => {
  test('is what follows the id and PBUF', () => {
    // /hbase/meta-region-server of HBase 2.6.1.
    const data = Buffer.concat([
      Buffer.from('ff000000146d61737465723a32363030311f97699af8454292', 'hex'),
      Buffer.from('PBUF\n\x16\n\tlocalhost'),
    ])
    expect(readZnode(data).toString()).toBe('\n\x16\n\tlocalhost')
    expect(readZnode(Buffer.from('PBUFx')).toString()).toBe('x')
  })

  test.each([
    '',
    'ff',
    'ff000000',
    'ffffffffff5042554600',
    'ff00000099505542',
    'ff0000000150425546',
    '4d5a9000',
  ])('cannot be %s', (hex) => {
    expect(() => readZnode(Buffer.from(hex, 'hex'))).toThrow(expect.objectContaining({ code: 'CORRUPTION' }))
  })
})
