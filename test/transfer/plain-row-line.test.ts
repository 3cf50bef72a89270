/** Lines of rows by the fast reader: it reads what the reader of any JSON reads, or leaves the line to it. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellParts } from '../../src/model/cell.ts'
import { CellType } from '../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../src/model/cell-block.ts'
import { plainRowLine } from '../../src/transfer/formats/plain-row-line.ts'
import { readRowLines, rowLinesWriter } from '../../src/transfer/formats/row-lines.ts'
import { SEED, testRuns } from '../harness/test-runs.ts'

const options = { numRuns: testRuns(400), ...(SEED !== undefined && { seed: SEED }) }

const anyText = fc.oneof(
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ maxLength: 12 }).map((text) => Buffer.from(text)),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => Buffer.from(text)),
)
const anyName = anyText.filter(({ length }) => length > 0)
const anyTime = fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.bigInt(0n, 2_000_000_000_000n))
const anyCells: fc.Arbitrary<CellParts[]> = fc
  .tuple(
    anyName,
    fc.array(
      fc.record({
        family: anyName.filter((name) => !name.includes(0x3a)),
        qualifier: anyText,
        timestamp: anyTime,
        type: fc.constantFrom(CellType.Put, CellType.Put, CellType.Put, CellType.DeleteColumn),
        value: anyText,
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([row, cells]) => cells.map((cell) => ({ row, ...cell })))

function lineOf(cells: readonly CellParts[]): Buffer {
  const writer = rowLinesWriter()
  const results = writer.results({ cells: blockOf(cells), counts: [cells.length] })
  return Buffer.concat([results, writer.end()]).subarray(0, -1)
}

async function read(line: Buffer): Promise<CellParts[] | string> {
  const found: CellParts[] = []
  const chunks = async function* () {
    yield line
  }
  try {
    for await (const { cells } of readRowLines(chunks())) found.push(...cellsOf(cells))
    return found
  } catch (error) {
    // A space before the line moves all of it.
    return String(error).replaceAll(/byte \d+/g, 'a byte')
  }
}

/** A space has the reader of any JSON read the line. */
function spaced(line: Buffer): Buffer {
  return Buffer.concat([Buffer.from(' '), line])
}

test('an exported line comes back as it was, by both readers', async () => {
  await fc.assert(
    fc.asyncProperty(anyCells, async (cells) => {
      const line = lineOf(cells)
      expect(await read(line)).toEqual(cells)
      expect(await read(spaced(line))).toEqual(cells)
    }),
    options,
  )
})

test('a line of ASCII with escapes is read fast', () => {
  const row = Buffer.from('row "1"')
  const value = Buffer.from([0, 255, 0x5c, 0x22, 0x41])
  const cell = { row, family: Buffer.from('f'), qualifier: Buffer.from('q:r'), timestamp: 7n, value }
  expect(plainRowLine(lineOf([{ ...cell, type: CellType.Put }]))).toEqual([{ ...cell, type: CellType.Put }])
})

test('a line that was changed anywhere is read as the reader of any JSON reads it', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyCells,
      fc.nat(),
      fc.uint8Array({ maxLength: 3 }),
      fc.nat(2),
      async (cells, place, bytes, gone) => {
        const line = lineOf(cells)
        const at = place % (line.length + 1)
        const changed = Buffer.concat([line.subarray(0, at), bytes, line.subarray(at + gone)])
        // Each of several lines would be read by itself.
        if (changed.includes(0x0a) || changed.includes(0x0d)) return
        expect(await read(changed)).toEqual(await read(spaced(changed)))
      },
    ),
    options,
  )
})
