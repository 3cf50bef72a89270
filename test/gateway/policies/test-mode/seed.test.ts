import { expect, test } from 'vitest'
import { parseSeed } from '../../../../src/gateway/policies/test-mode/seed.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'

test('a seed has namespaces, tables, and their rows as bytes', () => {
  const { namespaces, tables } = parseSeed({
    namespaces: ['shop'],
    tables: [
      {
        name: 'shop:t',
        families: ['f', { name: 'g', VERSIONS: '3' }],
        splits: ['m\\x00'],
        rows: { 'é\\xFF': { 'f:a:b': 'v', 'g:': [{ value: '\\x5Cx', timestamp: '-9223372036854775808' }] } },
      },
    ],
  })
  expect(namespaces).toEqual(['shop'])
  const [{ descriptor, splitKeys, rows }] = tables as [(typeof tables)[number]]
  expect(descriptor.families.map(({ attributes }) => attributes.get('VERSIONS'))).toEqual(['1', '3'])
  expect(splitKeys).toEqual([Buffer.from('m\0')])
  const cells = cellsOf(rows.blockOf(0))
  expect(cells.map(({ row }) => row)).toEqual([Buffer.from('c3a9ff', 'hex'), Buffer.from('c3a9ff', 'hex')])
  expect(cells.map(({ qualifier }) => qualifier.toString())).toEqual(['a:b', ''])
  expect(cells.map(({ value }) => value.toString())).toEqual(['v', '\\x'])
})

const withTable = (table: unknown): unknown => ({ tables: [table] })

test.each([
  [[], 'the seed must be an object, not []'],
  [{ table: [] }, 'the seed has no "table": it has namespaces, tables'],
  [withTable({ families: ['f'] }), '"name" of table 1 of the seed must be a text, not nothing'],
  [withTable({ name: 't', families: [1] }), 'a family of t must be a name or an object, not 1'],
  [
    withTable({ name: 't', families: [{ name: 'f', VERSIONS: 3 }] }),
    'VERSIONS of a family of t must be a text, not 3',
  ],
  [
    withTable({ name: 't', families: ['f'], rows: { r: 'x' } }),
    'row "r" of t must be an object of columns, not "x"',
  ],
  [
    withTable({ name: 't', families: ['f'], rows: { r: { f: 'x' } } }),
    'must be named FAMILY:QUALIFIER, not "f"',
  ],
  [withTable({ name: 't', families: ['f'], rows: { '': { 'f:': 'x' } } }), 'Row'],
  [
    withTable({ name: 't', families: ['f'], rows: { r: { 'f:q': { value: 'x', timestamp: 12 } } } }),
    '"timestamp" of column "f:q" of row "r" of t must be a text, not 12',
  ],
  [
    withTable({
      name: 't',
      families: ['f'],
      rows: { r: { 'f:q': { value: 'x', timestamp: '9223372036854775808' } } },
    }),
    'must be a number of 64 bits',
  ],
])('the seed %j is refused', (json, message) => {
  expect(() => parseSeed(json)).toThrow(message)
})
