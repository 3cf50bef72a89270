/** The decoder of plain JSON beside the general one: it makes the same cells, or leaves the body to it. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generalPuts } from '../../../src/doors/rest/decoding/cell-set-puts.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import type { MutationBatch } from '../../../src/model/mutation.ts'
import { readPlainJsonPuts } from '../../../src/wire/rest/plain-json-puts.ts'

const base64 = (part: string | Uint8Array): string => Buffer.from(part).toString('base64')
const bytes = (minLength: number, maxLength: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength, maxLength })

const column = fc
  .tuple(
    bytes(1, 40).filter((name) => !name.includes(0x3a)),
    bytes(0, 80),
  )
  .map(([family, qualifier]) => base64(Buffer.concat([family, Buffer.from(':'), qualifier])))
const value = bytes(0, 300).map((each) => ({ $: base64(each) }))
const time = fc
  .oneof(
    fc.maxSafeNat().map((each) => each % 1e15),
    fc.nat(20),
  )
  .map((timestamp) => ({ timestamp }))
const cell = fc.tuple(column, value, time, fc.nat(2)).map(([name, $, timestamp, form]) => ({
  column: name,
  ...(form === 0 ? $ : form === 1 ? { ...$, ...timestamp } : { ...timestamp, ...$ }),
}))
const rows = fc.array(
  fc.record({ key: bytes(1, 200).map(base64), Cell: fc.array(cell, { minLength: 1, maxLength: 12 }) }),
  { minLength: 1, maxLength: 6 },
)
const space = fc.constantFrom('', ' ', '\n', '\t\r\n ')

function generally(body: Buffer): MutationBatch {
  const spec = { row: Buffer.from('row of the path'), columns: [] }
  return generalPuts({ type: 'application/json', body, spec, limits: DEFAULT_LIMITS })
}

function contents({ cells, ends }: MutationBatch): unknown {
  return { cells: cellsOf(cells.block()), count: cells.count, ends }
}

test('plain JSON makes the cells that the general decoder makes', () => {
  fc.assert(
    fc.property(rows, space, (Row, indent) => {
      const body = Buffer.from(JSON.stringify({ Row }, undefined, indent))
      const plain = readPlainJsonPuts(body, DEFAULT_LIMITS)
      expect(plain === undefined ? [] : contents(plain)).toEqual(contents(generally(body)))
    }),
  )
})

test('of JSON with any change it makes the same, or nothing', () => {
  fc.assert(
    fc.property(
      rows,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('"', ',', ':', '=', ' ', '0', 'A', '-', '\\', '}', ']', 'null', '{', '\u00e9'),
      (Row, place, cut, put) => {
        const text = JSON.stringify({ Row })
        const at = place % text.length
        const body = Buffer.from(text.slice(0, at) + put + text.slice(at + cut))
        const plain = readPlainJsonPuts(body, DEFAULT_LIMITS)
        if (plain !== undefined) expect(contents(plain)).toEqual(contents(generally(body)))
      },
    ),
    { numRuns: 500 },
  )
})

describe('what it leaves to the general decoder', () => {
  const key = base64('row')
  const named = base64('f:q')
  const set = (...cells: readonly unknown[]): string => JSON.stringify({ Row: [{ key, Cell: cells }] })
  test.each([
    ['no row', '{"Row":[]}'],
    ['no cell', set()],
    ['no key', JSON.stringify({ Row: [{ Cell: [{ column: named, $: '' }] }] })],
    ['an empty key', JSON.stringify({ Row: [{ key: '', Cell: [{ column: named, $: '' }] }] })],
    ['a value first', set({ $: '', column: named })],
    ['no value', set({ column: named })],
    ['two values', `{"Row":[{"key":"${key}","Cell":[{"column":"${named}","$":"","$":"dg=="}]}]}`],
    ['a column without a colon', set({ column: base64('f'), $: '' })],
    ['a long family', set({ column: base64(`${'f'.repeat(128)}:q`), $: '' })],
    ['a negative time', set({ column: named, timestamp: -1, $: '' })],
    ['a time with a fraction', set({ column: named, timestamp: 1.5, $: '' })],
    [
      'a time beyond doubles',
      `{"Row":[{"key":"${key}","Cell":[{"column":"${named}","timestamp":9007199254740993,"$":""}]}]}`,
    ],
    [
      'a time with a zero before it',
      `{"Row":[{"key":"${key}","Cell":[{"column":"${named}","timestamp":01,"$":""}]}]}`,
    ],
    ['more behind it', `${set({ column: named, $: '' })}x`],
    ['another encoding', Buffer.from(set({ column: named, $: '' }), 'utf16le')],
  ])('%s', (_, body) => {
    expect(readPlainJsonPuts(Buffer.from(body), DEFAULT_LIMITS)).toBeUndefined()
  })

  test.each([{ batchMax: 1 }, { elementsMax: 3 }, { cellBytesMax: 36 }])('beyond %o', (lower) => {
    const Cell = [named, named].map((each) => ({ column: each, $: base64('twelve bytes') }))
    const body = Buffer.from(
      JSON.stringify({
        Row: [
          { key, Cell },
          { key, Cell },
        ],
      }),
    )
    expect(readPlainJsonPuts(body, DEFAULT_LIMITS)?.cells.count).toBe(4)
    expect(readPlainJsonPuts(body, { ...DEFAULT_LIMITS, ...lower })).toBeUndefined()
  })
})
