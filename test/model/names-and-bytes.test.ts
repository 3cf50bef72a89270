import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareRange, rowAfterPrefix, toStringBinary } from '../../src/model/bytes.ts'
import { familyDescriptor, timeToLiveSecondsOf } from '../../src/model/descriptor.ts'
import { ColumnsBuilder } from '../../src/model/query.ts'
import { namespaceOf, parseTableName, qualifierOf } from '../../src/model/table-name.ts'
import { TTL_FOREVER } from '../../src/model/time-to-live.ts'
import { anyBytes } from './arbitrary-cells.ts'

describe('byte strings', () => {
  test('compare as Buffer.compare does, at any offset and length', () => {
    fc.assert(
      fc.property(anyBytes(0, 3), anyBytes(0, 200), anyBytes(0, 200), (padding, a, b) => {
        const order = compareRange(Buffer.concat([padding, a]), padding.length, a.length, b, 0, b.length)
        expect(Math.sign(order)).toBe(Buffer.compare(a, b))
      }),
    )
  })

  test('have a least row after all rows of a prefix', () => {
    expect(rowAfterPrefix(Buffer.from('10,'))).toEqual(Buffer.from('10-'))
    expect(rowAfterPrefix(Buffer.from([0x61, 0xff, 0xff]))).toEqual(Buffer.from([0x62]))
    expect(rowAfterPrefix(Buffer.from([0xff]))).toEqual(Buffer.alloc(0))
  })

  test('print as HBase prints them', () => {
    expect(toStringBinary(Buffer.from([0x61, 0x00, 0x5c, 0xff, 0x20]))).toBe('a\\x00\\x5C\\xFF ')
    // Long ones are made otherwise, in parts: none of them may be lost.
    const all = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7 + (i >>> 8)) & 0xff))
    let text = ''
    for (let at = 0; at < all.length; at += 100) text += toStringBinary(all.subarray(at, at + 100))
    expect(toStringBinary(all) === text).toBe(true)
  })
})

describe('a table name', () => {
  test('of the default namespace is the bare qualifier', () => {
    expect(parseTableName('default:t')).toBe('t')
    expect(namespaceOf(parseTableName('t'))).toBe('default')
    expect(qualifierOf(parseTableName('cow_prod:PROD_COW_ADVERTISER'))).toBe('PROD_COW_ADVERTISER')
  })

  test.each(['', ':t', 'n:', '.t', '-t', 'a b', 'a:b:c', 'n-s:t', 'zookeeper'])('%j is refused', (text) => {
    expect(() => parseTableName(text)).toThrow()
  })
})

describe('columns', () => {
  test('gather as those of a Get', () => {
    const [f, g, q, p] = ['f', 'g', 'q', 'p'].map((text) => Buffer.from(text)) as [
      Buffer,
      Buffer,
      Buffer,
      Buffer,
    ]
    expect(
      new ColumnsBuilder().addColumn(g, q).addColumn(f, q).addColumn(f, p).addColumn(f, q).build(),
    ).toEqual([
      { family: f, qualifiers: [p, q] },
      { family: g, qualifiers: [q] },
    ])
    expect(new ColumnsBuilder().addColumn(f, q).addFamily(f).build()).toEqual([
      { family: f, qualifiers: undefined },
    ])
    expect(new ColumnsBuilder().addFamily(f).addColumn(f, q).build()).toEqual([
      { family: f, qualifiers: [q] },
    ])
  })
})

describe("a family's TTL", () => {
  test.each([
    ['604800', 604800],
    ['FOREVER', TTL_FOREVER],
    ['604800 SECONDS (7 DAYS)', 604800],
    ['1 DAYS 12 HOURS', 129600],
    ['7 DAYS', 604800],
    ['', TTL_FOREVER],
  ])('%s is %d seconds', (text, seconds) => {
    expect(timeToLiveSecondsOf(familyDescriptor('f', [['TTL', text]]))).toBe(seconds)
  })

  test.each(['soon', '7 WEEKS'])('%j is refused', (text) => {
    expect(() => timeToLiveSecondsOf(familyDescriptor('f', [['TTL', text]]))).toThrow(
      'TTL of column family f',
    )
  })
})
