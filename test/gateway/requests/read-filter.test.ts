/** Filters of many parts are read as small ones are, but others have their turns meanwhile. */

import { expect, test } from 'vitest'
import { evaluatorInSteps } from '../../../src/filter/evaluate/create-evaluator.ts'
import { passingRowsInSteps } from '../../../src/filter/evaluate/passing-rows.ts'
import { filterJsonInSteps } from '../../../src/filter/json/parse-filter-json.ts'
import { filterStringInSteps } from '../../../src/filter/language/parse-filter-string.ts'
import { filterInSteps } from '../../../src/filter/protobuf/decode-filter.ts'
import { encodeFilter } from '../../../src/filter/protobuf/encode-filter.ts'
import { Turn } from '../../../src/filter/turns/turn.ts'
import { readFilter } from '../../../src/gateway/requests/read-filter.ts'
import type { Filter } from '../../../src/model/filter.ts'
import { atOnce, type Steps } from '../../../src/model/steps.ts'

const PARTS = 2000
/** A step takes less, so that a turn ends in time. */
const STEP_PARTS_MAX = 300

const numbers = Array.from({ length: PARTS }, (_, i) => (i * 7919) % PARTS)
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const list = (filters: Filter[]): Filter => ({ kind: 'FilterList', operator: 'MUST_PASS_ONE', filters })
const proto = (filter: Filter): Buffer => Buffer.from(encodeFilter(filter))
const key = (i: number): Buffer => Buffer.from(`row${i}`)

/** Each of the lists is too short to take a step of its own. */
const lists = (depth: number): Filter =>
  list(
    Array.from({ length: 13 }, (_, i) =>
      depth === 1 ? { kind: 'PrefixFilter', prefix: key(i) } : lists(depth - 1),
    ),
  )
const listsAsJson = (depth: number): unknown => ({
  type: 'FilterList',
  op: 'MUST_PASS_ONE',
  filters: Array.from({ length: 13 }, (_, i) =>
    depth === 1 ? { type: 'PrefixFilter', value: base64(`row${i}`) } : listsAsJson(depth - 1),
  ),
})
const listsAsText = (depth: number): string =>
  `(${Array.from({ length: 13 }, (_, i) => (depth === 1 ? `PrefixFilter('row${i}')` : listsAsText(depth - 1))).join(' OR ')})`

type Read = (bytes: Buffer) => Steps<Filter>

const FILTERS: readonly (readonly [string, Read, Buffer])[] = [
  [
    'a list as text',
    filterStringInSteps,
    Buffer.from(numbers.map((i) => `PrefixFilter('row${i}')`).join(' OR ')),
  ],
  [
    'prefixes as text',
    filterStringInSteps,
    Buffer.from(`MultipleColumnPrefixFilter(${numbers.map((i) => `'column${i}'`).join(',')})`),
  ],
  [
    'times as text',
    filterStringInSteps,
    Buffer.from(`TimestampsFilter(${numbers.map((i) => 1_700_000_000_000 + i).join(',')})`),
  ],
  [
    'a list as JSON',
    filterJsonInSteps,
    Buffer.from(
      JSON.stringify({
        type: 'FilterList',
        op: 'MUST_PASS_ONE',
        filters: numbers.map((i) => ({ type: 'PrefixFilter', value: base64(`row${i}`) })),
      }),
    ),
  ],
  [
    'ranges as JSON',
    filterJsonInSteps,
    Buffer.from(
      JSON.stringify({
        type: 'MultiRowRangeFilter',
        ranges: numbers.map((i) => ({ startRow: base64(`row${i}`), stopRow: base64(`row${i}x`) })),
      }),
    ),
  ],
  [
    'a list as protobuf',
    filterInSteps,
    proto(list(numbers.map((i) => ({ kind: 'PrefixFilter', prefix: key(i) })))),
  ],
  ['short lists of short lists as text', filterStringInSteps, Buffer.from(listsAsText(3))],
  ['short lists of short lists as JSON', filterJsonInSteps, Buffer.from(JSON.stringify(listsAsJson(3)))],
  ['short lists of short lists as protobuf', filterInSteps, proto(lists(3))],
  [
    'fuzzy keys as protobuf',
    filterInSteps,
    proto({
      kind: 'FuzzyRowFilter',
      isMaskV2: true,
      keys: numbers.map((i) => ({ row: key(i), mask: Buffer.alloc(key(i).length) })),
    }),
  ],
  [
    'ranges as protobuf',
    filterInSteps,
    proto({
      kind: 'MultiRowRangeFilter',
      ranges: numbers.map((i) => ({
        startRow: key(i),
        includeStartRow: true,
        stopRow: key(i),
        includeStopRow: true,
      })),
    }),
  ],
  [
    'times as protobuf',
    filterInSteps,
    proto({ kind: 'TimestampsFilter', canHint: true, timestamps: numbers.map((i) => BigInt(i + 1) << 50n) }),
  ],
]

test.each(FILTERS)('%s', async (_, read, bytes) => {
  const steps = read(bytes)
  let count = 1
  while (steps.next().done !== true) count++
  expect(count).toBeGreaterThan(PARTS / STEP_PARTS_MAX)
  expect(bytes.length).toBeGreaterThan(16 * 1024)
  const filter = await readFilter(bytes, read)
  expect(filter).toEqual(atOnce(read(bytes)))
  const expected = structuredClone(filter)
  bytes.fill(0)
  expect(structuredClone(filter), 'has bytes of its own').toEqual(expected)
})

test('an evaluator of short lists of short lists is made in steps, and so are its rows', () => {
  const filter = lists(3)
  for (const steps of [
    evaluatorInSteps(filter, Math.random, new Turn()),
    passingRowsInSteps(filter),
  ] as Steps<unknown>[]) {
    let count = 1
    while (steps.next().done !== true) count++
    expect(count).toBeGreaterThan(PARTS / STEP_PARTS_MAX)
  }
})

test.each([
  [
    'protobuf',
    filterInSteps,
    Buffer.concat([
      proto(list(numbers.map((i) => ({ kind: 'PrefixFilter', prefix: key(i) })))).subarray(0, -30),
      Buffer.from([0xff]),
    ]),
  ],
  [
    'text',
    filterStringInSteps,
    Buffer.from(`${numbers.map((i) => `PrefixFilter('row${i}')`).join(' OR ')} OR Nothing()`),
  ],
])('a long filter as %s with a fault at its end is refused as at once', async (_, read, bytes) => {
  let refusal: unknown
  try {
    atOnce(read(bytes))
  } catch (error) {
    refusal = error
  }
  expect(refusal).toBeDefined()
  await expect(readFilter(bytes, read)).rejects.toEqual(refusal)
})
