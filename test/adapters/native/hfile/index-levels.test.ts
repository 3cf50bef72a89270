import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testRuns } from '../../../harness/test-runs.ts'
import { allCells, keyValue, NEWEST, open, presentText, stored, text, writeFile } from './cells.ts'

function number(i: number): string {
  return String(i).padStart(4, '0')
}

test('any number of blocks, with keys of any length in any place', () => {
  const count = fc.nat({ max: 40 })
  const prefix = fc.constantFrom(1, 40, 500)
  fc.assert(
    fc.property(
      count,
      count,
      prefix,
      fc.constantFrom(100, 400, 1000),
      (few, more, length, indexBlockBytes) => {
        // Index keys are as short as they can be: long ones come of rows that are alike up to their ends.
        const names = [
          ...Array.from({ length: few + 1 }, (_, i) => `a${number(i)}`),
          ...Array.from({ length: more }, (_, i) => 'x'.repeat(length) + number(i)),
        ]
        const cells = names.map((row) => stored(keyValue(row)))
        const hfile = open(writeFile(cells, { blockBytes: 1, indexBlockBytes }))
        expect(allCells(hfile).map(text)).toEqual(cells.map(text))
        const at = hfile.iterator(NEWEST)
        for (const cell of cells) {
          at.seek(cell.keyValue, 0)
          expect(presentText(at)).toBe(text(cell))
        }
        expect(hfile.middleKey()).toBeDefined()
      },
    ),
    { numRuns: testRuns(300) },
  )
})
