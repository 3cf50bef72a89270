import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCells } from '../../../../src/model/cell.ts'
import { inOrder, keyValue, NEWEST, open, present, stored, writeFile } from './cells.ts'

/** Few different bytes, zeros among them, so that rows are often the beginning of others. */
const bytes = fc
  .array(fc.constantFrom(0, 0, 1, 0x61, 0x7f, 0x80, 0xff), { maxLength: 11 })
  .map((each) => Buffer.from(each))

describe('a search in a block', () => {
  it('finds what a walk finds, whatever bytes all rows begin with', () => {
    const block = fc.record({
      common: bytes,
      ends: fc.array(bytes, { minLength: 1, maxLength: 20 }),
      others: fc.array(bytes, { minLength: 1, maxLength: 10 }),
    })
    fc.assert(
      fc.property(block, ({ common, ends, others }) => {
        const rows = [
          ...new Set(ends.map((end) => Buffer.concat([common, end, Buffer.of(1)]).toString('latin1'))),
        ]
        const cells = inOrder(rows.map((row) => stored(keyValue(Buffer.from(row, 'latin1')))))
        const file = open(writeFile(cells))
        // Beginnings of the common bytes sort before all rows, and zeros stand for what they lack.
        const beginnings = Array.from({ length: common.length + 1 }, (_, length) =>
          common.subarray(0, length),
        )
        const wanted = [
          ...others.map((end) => Buffer.concat([common, end])),
          ...ends,
          ...others,
          ...beginnings,
        ]
        // A block makes its words for the second search.
        for (const row of [...wanted, ...wanted]) {
          const key = keyValue(Buffer.concat([row, Buffer.of(0)]))
          const at = file.iterator(NEWEST)
          at.seek(key, 0)
          const walked = cells.find((cell) => compareCells(cell.keyValue, 0, key, 0) >= 0)
          expect(at.valid ? present(at).keyValue : undefined).toEqual(walked?.keyValue)
          at.close()
        }
      }),
      { numRuns: 300 },
    )
  })
})
