import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellSetPuts } from '../../../src/doors/rest/decoding/cell-set-puts.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../../src/model/cell-block.ts'

const bytes = (minLength: number, maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array))
const family = bytes(1, 127).filter((name) => !name.includes(0x3a))

const cell = fc.record({ family, qualifier: bytes(0, 300), timestamp: fc.maxSafeNat(), value: bytes(0, 600) })
const row = fc.record({ key: bytes(1, 200), cells: fc.array(cell, { minLength: 1, maxLength: 4 }) })

const base64 = (part: Buffer): string => part.toString('base64')

test('the cells of a body are those that it states, byte for byte', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
      const body = JSON.stringify({
        Row: rows.map(({ key, cells }) => ({
          key: base64(key),
          Cell: cells.map((each) => ({
            column: base64(Buffer.concat([each.family, Buffer.from(':'), each.qualifier])),
            timestamp: each.timestamp,
            $: base64(each.value),
          })),
        })),
      })
      const spec = { row: Buffer.from('unused'), columns: [] }
      const batch = cellSetPuts({
        type: 'application/json',
        body: Buffer.from(body),
        spec,
        limits: DEFAULT_LIMITS,
      })
      const expected = rows.flatMap(({ key, cells }) =>
        cells.map((each) => ({ ...each, row: key, timestamp: BigInt(each.timestamp), type: CellType.Put })),
      )
      expect(cellsOf(batch.cells.block())).toEqual(cellsOf(blockOf(expected)))
    }),
  )
})

test.each([128, 255, 256, 257, 65_536])('a family of %i bytes is refused', (length) => {
  const column = base64(Buffer.from(`${'f'.repeat(length)}:q`))
  const body = Buffer.from(JSON.stringify({ Row: [{ key: 'cg==', Cell: [{ column, $: 'dg==' }] }] }))
  const put = () =>
    cellSetPuts({ type: 'application/json', body, spec: { row: body, columns: [] }, limits: DEFAULT_LIMITS })
  expect(put).toThrow('Family > 127')
})
