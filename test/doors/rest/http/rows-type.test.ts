import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BINARY, CELL_SET_TYPES, JSON_TYPE, XML } from '../../../../src/doors/rest/http/media-type.ts'
import { NDJSON, negotiateRows, TEXT_JSON } from '../../../../src/doors/rest/http/rows-type.ts'

const VALUE_FIRST = [BINARY, ...CELL_SET_TYPES]
const CELLS_FIRST = [...CELL_SET_TYPES, BINARY]

const range = fc
  .tuple(
    fc.constantFrom(
      '*/*',
      'text/*',
      JSON_TYPE,
      'text/xml',
      BINARY,
      NDJSON,
      TEXT_JSON,
      'image/png',
      'nonsense/',
    ),
    fc.constantFrom('', ';q=0.5', ';q=0', ';charset=utf-8', ';q=x'),
  )
  .map((parts) => parts.join(''))
const accept = fc.oneof(
  fc.constant(undefined),
  fc.array(range, { maxLength: 3 }).map((ranges) => ranges.join(', ')),
  fc.constant(`${JSON_TYPE};a=${'a'.repeat(300)}`),
)

function outcome(header: string | undefined, offered: readonly string[]): unknown {
  try {
    return negotiateRows(header, offered)
  } catch (error) {
    return String(error)
  }
}

test('a header gives the same type when it comes again, for each list of offered types', () => {
  fc.assert(
    fc.property(accept, (header) => {
      for (const offered of [VALUE_FIRST, CELLS_FIRST]) {
        const anew = outcome(header, [...offered])
        expect(outcome(header, offered)).toEqual(anew)
        expect(outcome(header, offered)).toEqual(anew)
      }
    }),
  )
})

test.each(['*/*', undefined])('%s gives each list its own first type', (header) => {
  expect(negotiateRows(header, VALUE_FIRST).type).toBe(BINARY)
  expect(negotiateRows(header, CELLS_FIRST).type).toBe(XML)
})
