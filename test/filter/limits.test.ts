import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DECIMAL_BYTES_MAX } from '../../src/filter/evaluate/comparators/number-comparators.ts'
import { parseFilterJson } from '../../src/filter/json/parse-filter-json.ts'
import { parseFilterString } from '../../src/filter/language/parse-filter-string.ts'
import { decodeFilter } from '../../src/filter/protobuf/decode-filter.ts'
import { encodeFilter } from '../../src/filter/protobuf/encode-filter.ts'
import {
  BACKTRACK_CHOICES_MAX,
  BACKTRACK_STEPS_MAX,
  BACKTRACK_STEPS_PER_CHARACTER,
} from '../../src/filter/regex/backtrack-limits.ts'
import { CLASS_DEPTH_MAX, INTERSECTIONS_MAX } from '../../src/filter/regex/character-class.ts'
import { PATTERN_LENGTH_MAX } from '../../src/filter/regex/java-regex.ts'
import { GROUP_DEPTH_MAX } from '../../src/filter/regex/pattern-parser.ts'
import { FILTER_DEPTH_MAX } from '../../src/filter/schema/filter-depth.ts'
import { FILTER_PARTS_MAX } from '../../src/filter/schema/filter-parts.ts'
import type { Filter } from '../../src/model/filter.ts'
import { packageRoot } from '../../src/package-root.ts'

const document = readFileSync(new URL('docs/differences-from-hbase.md', packageRoot()), 'utf8')

test.each([
  [FILTER_DEPTH_MAX, 'filters within each other'],
  [FILTER_PARTS_MAX, 'parts of a filter'],
  [PATTERN_LENGTH_MAX, 'characters of a pattern'],
  [GROUP_DEPTH_MAX, 'groups of a pattern'],
  [CLASS_DEPTH_MAX, 'classes of a pattern'],
  [INTERSECTIONS_MAX, 'intersections'],
  [BACKTRACK_STEPS_MAX, 'steps of a search'],
  [BACKTRACK_CHOICES_MAX, 'choices'],
  [DECIMAL_BYTES_MAX, 'bytes of a decimal number'],
])('the limit of %i %s is documented', (limit, words) => {
  expect(document).toContain(`| ${limit} | ${words}`)
})

test('so is what a longer text adds to a search', () => {
  expect(document).toContain(`and ${BACKTRACK_STEPS_PER_CHARACTER} more for each character of the text`)
})

const PARTS: readonly (readonly [string, (text: string) => unknown, string, string, string])[] = [
  ['parentheses', parseText, '', '(', 'KeyOnlyFilter()'],
  ['keywords', parseText, '', 'SKIP ', 'KeyOnlyFilter()'],
  ['filters', parseText, '', 'KeyOnlyFilter() OR ', 'KeyOnlyFilter()'],
  ['arguments', parseText, 'TimestampsFilter(', '1,', '1)'],
  ['filters in JSON', parseFilterJson, '{"type":"FilterList","filters":[', '{},', '{}]}'],
  ['ranges in JSON', parseFilterJson, '{"ranges":[', '{},', '{}]}'],
  ['bytes in JSON', parseFilterJson, '{"ranges":[{"startRow":[', '0,', '0]}]}'],
]

const EMPTY = Buffer.alloc(0)
const LISTS: readonly (readonly [string, (count: number) => Filter])[] = [
  ['times', (count) => ({ kind: 'TimestampsFilter', canHint: false, timestamps: repeated(count, 1n) })],
  [
    'fuzzy keys',
    (count) => ({
      kind: 'FuzzyRowFilter',
      isMaskV2: true,
      keys: repeated(count, { row: EMPTY, mask: EMPTY }),
    }),
  ],
  ['column prefixes', (count) => ({ kind: 'MultipleColumnPrefixFilter', prefixes: repeated(count, EMPTY) })],
  [
    'filters',
    (count) => ({
      kind: 'FilterList',
      operator: 'MUST_PASS_ALL',
      filters: repeated(count, { kind: 'KeyOnlyFilter', lengthAsValue: false }),
    }),
  ],
]

function repeated<Element>(count: number, element: Element): Element[] {
  return Array.from({ length: count }, () => element)
}

test.each(LISTS)('too many %s in protobuf are refused', (_, filterOf) => {
  const decode = (count: number) => (): unknown => decodeFilter(Buffer.from(encodeFilter(filterOf(count))))
  const refusal = /a filter of more than 200000 parts$/
  expect(decode(FILTER_PARTS_MAX)).toThrow(refusal)
  expect(decode(FILTER_PARTS_MAX / 4)).not.toThrow(refusal)
})

function parseText(text: string): unknown {
  return parseFilterString(Buffer.from(text))
}

test.each(PARTS)('too many %s are refused', (_, parse, head, part, tail) => {
  const refusal = /^a filter of more than 200000 parts$/
  expect(() => parse(`${head}${part.repeat(FILTER_PARTS_MAX)}${tail}`)).toThrow(refusal)
  expect(() => parse(`${head}${part.repeat(FILTER_PARTS_MAX / 4)}${tail}`)).not.toThrow(refusal)
})
