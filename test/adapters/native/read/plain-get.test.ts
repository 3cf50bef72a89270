import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CellRun } from '../../../../adapters/native/cells/cell-run.ts'
import { LruBlockCache } from '../../../../adapters/native/hfile/block-cache.ts'
import { openHFile } from '../../../../adapters/native/hfile/hfile.ts'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { get } from '../../../../src/model/query.ts'
import { inOrder, keyValue, type StoredCell, stored, writeFile } from '../hfile/cells.ts'

/** Rows that begin alike for more than a word, that end in zeros, and that others begin with. */
const ROWS = [
  'a',
  'b',
  'b\0',
  'b\0\0\0\0\0\0',
  ...['', '\0', '0', '01', '012', '0123', '01234'].map((end) => `long${end}`),
]
const ROW_BYTES = ROWS.map((row) => Buffer.from(row, 'latin1'))

const cell: fc.Arbitrary<Omit<StoredCell, 'sequenceId'>> = fc
  .record({
    row: fc.constantFrom(...ROW_BYTES),
    qualifier: fc.constantFrom('', '', 'a', 'ab'),
    timestamp: fc.bigInt(1n, 4n),
    type: fc.constantFrom(
      ...Array<CellType>(12).fill(CellType.Put),
      CellType.DeleteFamily,
      CellType.DeleteColumn,
    ),
    value: fc.string({ maxLength: 8 }),
  })
  .map(({ row, qualifier, timestamp, type, value }) =>
    type === CellType.Put
      ? stored(keyValue(row, qualifier, timestamp, type, value))
      : stored(keyValue(row, type === CellType.DeleteFamily ? '' : qualifier, timestamp, type, '')),
  )

/** Cells in the order in which they were written, by the run that they ended up in; the last run is a memstore. */
const world = fc.record({
  runs: fc.array(fc.array(cell, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
  blockBytes: fc.constantFrom(64, 256, 65536),
  bloomType: fc.constantFrom('NONE' as const, 'ROW' as const),
  hidden: fc.integer({ min: 0, max: 6 }),
})

const RULES = familyRules(familyDescriptor('f'))

describe('a get of plain rows', () => {
  it('finds what the matcher finds, in any runs', () => {
    fc.assert(
      fc.property(world, ({ runs: written, blockBytes, bloomType, hidden }) => {
        let sequenceId = 0
        const runs = written.map((cells, index): CellRun => {
          const numbered = cells.map((each) => ({ ...each, sequenceId: ++sequenceId }))
          if (index === written.length - 1) return memstoreOf(numbered)
          const file = writeFile(withoutRepeats(inOrder(numbered)), { blockBytes, bloomType })
          return openHFile(file, { fileId: index + 1, blockCache: new LruBlockCache() })
        })
        const families = [{ rules: RULES, runs }]
        const reader = new RowReader(() => 0.5)
        const read = (row: Buffer, readPoint: number, familyLimit = -1): readonly unknown[] => {
          const context = { readPoint, now: 1000 }
          const target = new CellBlockBuilder()
          target.append(row, row, row, 0, 1, CellType.Put, row)
          const found = reader.read(families, get(row, { familyLimit }), context, target)
          expect(target.count).toBe(found + 1)
          return cellsOf(target.block())
        }
        // A limit, be it ever so large, asks for the matcher. The second round finds words in the blocks.
        for (const readPoint of [sequenceId - hidden, sequenceId]) {
          for (const row of ROW_BYTES) expect(read(row, readPoint)).toEqual(read(row, readPoint, 1_000_000))
        }
      }),
      { numRuns: 400 },
    )
  })
})

function memstoreOf(cells: readonly StoredCell[]): Memstore {
  const memstore = new Memstore(new ChunkPool())
  for (const { keyValue: bytes, sequenceId } of cells) memstore.add(bytes, 0, bytes.length, 0, 0, sequenceId)
  return memstore
}

/** A flush keeps the newest of equal keys. */
function withoutRepeats(cells: readonly StoredCell[]): StoredCell[] {
  return cells.filter((each, i) => {
    const before = cells[i - 1]?.keyValue
    return before === undefined || !sameKey(before, each.keyValue)
  })
}

function sameKey(a: Buffer, b: Buffer): boolean {
  const [aKey, bKey] = [a, b].map((bytes) => bytes.subarray(8, 8 + bytes.readInt32BE(0)))
  return aKey!.equals(bKey!)
}
