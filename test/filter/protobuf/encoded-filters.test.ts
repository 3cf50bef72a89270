import { expect, test } from 'vitest'
import { decodeFilter } from '../../../src/filter/protobuf/decode-filter.ts'
import { encodeFilter } from '../../../src/filter/protobuf/encode-filter.ts'
import { encodedFilter, filterToEncode } from '../../../src/filter/protobuf/encoded-filters.ts'
import type { Filter } from '../../../src/model/filter.ts'

const bytes = (text: string): Buffer => Buffer.from(text)

function list(members: number, wrap: (filter: Filter) => Filter = (filter) => filter): Filter {
  const filters = Array.from(
    { length: members },
    (_, i): Filter => wrap({ kind: 'PrefixFilter', prefix: bytes(`prefix${i}`) }),
  )
  return { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters }
}

const LARGE: readonly (readonly [string, Filter])[] = [
  ['a list', list(2000)],
  ['lists within a list', list(300, (filter) => ({ ...list(3), filters: [filter, list(2)] }) as Filter)],
  ['filters around a list', { kind: 'SkipFilter', filter: { kind: 'WhileMatchFilter', filter: list(1000) } }],
  ['a list of wrapped filters', list(1000, (filter) => ({ kind: 'SkipFilter', filter }))],
]

test.each(LARGE)('%s has the bytes that it has at once, in steps and then never again', (_, filter) => {
  const steps = filterToEncode(filter)!
  let count = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count++
  expect(count).toBeGreaterThan(5)
  expect(Buffer.from(step.value).equals(Buffer.from(encodeFilter(filter)))).toBe(true)
  expect(decodeFilter(Buffer.from(step.value))).toEqual(filter)
  expect(encodedFilter(filter)).toBe(step.value)
  expect(filterToEncode(filter)).toBeUndefined()
})

test('a small filter is encoded when it is sent', () => {
  const filter = list(3)
  expect(filterToEncode(filter)).toBeUndefined()
  expect(filterToEncode(undefined)).toBeUndefined()
  expect(Buffer.from(encodedFilter(filter))).toEqual(Buffer.from(encodeFilter(filter)))
})
