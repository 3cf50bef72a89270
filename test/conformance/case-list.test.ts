import { expect, test } from 'vitest'
import { type Request, rest, thrift1, thrift2 } from '../../conformance/src/runner/case.ts'
import { digested, type Listed, listed, named } from '../../conformance/src/runner/case-list.ts'
import { slugOf } from '../../conformance/src/runner/slug.ts'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'

const json = { Accept: 'application/json' }
const table = Buffer.from('conf_t1_reads')
const cases: readonly Listed[] = [
  rest('GET', '/conf_rest_row/r1/f:a?v=2', json),
  rest('GET', '/conf_rest_row/r1/f:a?v=2', { Accept: 'text/xml' }),
  [rest('DELETE', '/conf_rest_row/r1'), rest('GET', '/conf_rest_row/r1', json)],
  named('after delete', rest('GET', '/conf_rest_row/r1/f:a?v=2', json)),
  digested('(a', '(a', rest('GET', '/conf_rest_row/r2', json)),
  digested('a)', 'a)', rest('GET', '/conf_rest_row/r2', json)),
  thrift1('getRowTs', { tableName: table, row: Buffer.from('v'), timestamp: 2n, attributes: new Map() }),
]

const idsOf = (list: readonly Listed[]): string[] => listed('area', list).map(({ id }) => id)

test('an id says what its case is about', () => {
  expect(idsOf(cases)).toEqual([
    'area-r1-f-a-v-2',
    'area-r1-f-a-v-2-as-xml',
    'area-delete-r1',
    'area-after-delete',
    'area-a-be09ff',
    'area-a-15dce5',
    'area-get-row-ts-v-at-2',
  ])
})

test('a case put anywhere into a list changes no other id', () => {
  const added: Request = rest('PUT', '/conf_rest_row/r9', json, '{}')
  for (let place = 0; place <= cases.length; place++) {
    const ids = idsOf(cases.toSpliced(place, 0, added))
    expect(ids.toSpliced(place, 1), `at ${place}`).toEqual(idsOf(cases))
  }
  expect(idsOf(cases.toReversed()).toReversed()).toEqual(idsOf(cases))
})

test('the ids of the suite are letters, digits and dashes, and not long', () => {
  const ids = SCENARIOS.flatMap(({ cases: all }) => all.map(({ id }) => id))
  expect(ids.filter((id) => !/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(id) || id.length > 90)).toEqual([])
})

test('two cases of one id are refused', () => {
  const again = rest('GET', '/conf_rest_row/r1/f:a?v=2', json)
  expect(() => listed('area', [...cases, again])).toThrow('two cases are called area-r1-f-a-v-2')
})

test('words that every case of a list has may be left out', () => {
  const get = thrift2('get', { table, tget: { row: Buffer.from('r'), maxVersions: 2 } })
  expect(listed('area', [get], { leaveOut: ['get'] })[0]!.id).toBe('area-r-versions-2')
})

test('slugs tell punctuation that means something', () => {
  const texts: Readonly<Record<string, string>> = {
    'r1/f:a': 'r1-f-a',
    'r1/f:': 'r1-f-colon',
    'r1//f': 'r1-slash-slash-f',
    "RowFilter(>=, 'binary:ab')": 'row-ge-binary-ab',
    'by -5': 'by-minus-5',
    '9223372036854775807': 'max',
    '\x00\xff': 'x00-xff',
    '': 'empty',
    '(': 'paren',
    maxVersions: 'max-versions',
  }
  for (const [text, slug] of Object.entries(texts)) expect(slugOf(text), text).toBe(slug)
})

test('a long slug is cut at a word, and ends with a digest of the whole text', () => {
  const text = 'word '.repeat(30)
  expect(slugOf(text)).toMatch(/^(?:word-)+[0-9a-f]{6}$/)
  expect(slugOf(text).length).toBeLessThanOrEqual(60)
  expect(slugOf(`${text}x`)).not.toBe(slugOf(`${text}y`))
})
