/** Moves over columns, and seeks to keys ahead, of every kind of run: they end where steps would end. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CellRun } from '../../../../adapters/native/cells/cell-run.ts'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import { CellMerge } from '../../../../adapters/native/read/cell-merge.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { compareCells } from '../../../../src/model/cell.ts'
import { inOrder, keyValue, open, presentText, type StoredCell, stored, writeFile } from '../hfile/cells.ts'

const anyCell: fc.Arbitrary<StoredCell> = fc
  .record({
    row: fc.constantFrom('a', 'ab', 'a row that is longer', 'a row that is longes', 'b'),
    qualifier: fc.constantFrom('', 'q', 'qq', 'another'),
    time: fc.integer({ min: 0, max: 60 }),
    sequenceId: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ row, qualifier, time, sequenceId }) => stored(keyValue(row, qualifier, BigInt(time)), sequenceId))
const cells = fc
  .array(anyCell, { minLength: 1, maxLength: 300 })
  .map((drawn) => [
    ...new Map(drawn.map((cell) => [`${cell.keyValue.toString('hex')}/${cell.sequenceId}`, cell])).values(),
  ])

function memstoreOf(written: readonly StoredCell[]): CellRun {
  const memstore = new Memstore(new ChunkPool())
  for (const { keyValue: key, sequenceId } of written) memstore.add(key, 0, key.length, 0, 0, sequenceId)
  return memstore
}

const RUNS: [string, (written: readonly StoredCell[]) => CellRun][] = [
  ['a memstore', memstoreOf],
  ['a store file of large blocks', (written) => open(writeFile(inOrder(written)))],
  ['a store file of small blocks', (written) => open(writeFile(inOrder(written), { blockBytes: 200 }))],
]

function columnOf({ keyValue: key }: StoredCell): string {
  return key.toString('hex', 8, key.readInt32BE(0) - 1)
}

function textOf(cell: StoredCell | undefined): string | undefined {
  return cell && `${cell.keyValue.toString('hex')} ${cell.sequenceId} `
}

describe.each(RUNS)('moves over columns of %s', (_, runOf) => {
  it('end at the first cell of another column', () => {
    fc.assert(
      fc.property(cells, fc.integer({ min: 1, max: 3 }), (written, readPoint) => {
        const visible = inOrder(written).filter(({ sequenceId }) => sequenceId <= readPoint)
        const run = runOf(written)
        for (const [at, cell] of visible.entries()) {
          const iterator = run.iterator(readPoint)
          iterator.seek(cell.keyValue, 0)
          while (presentText(iterator) !== textOf(cell)) iterator.next()
          iterator.leaveColumn()
          const next = visible.slice(at).find((other) => columnOf(other) !== columnOf(cell))
          expect(presentText(iterator)).toBe(textOf(next))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('end at the key that is ahead', () => {
    fc.assert(
      fc.property(cells, anyCell, fc.integer({ min: 1, max: 3 }), (written, key, readPoint) => {
        const visible = inOrder(written).filter(({ sequenceId }) => sequenceId <= readPoint)
        const run = runOf(written)
        const found = visible.find((cell) => compareCells(cell.keyValue, 0, key.keyValue, 0) >= 0)
        for (const cell of visible) {
          if (compareCells(cell.keyValue, 0, key.keyValue, 0) >= 0) break
          const iterator = run.iterator(readPoint)
          iterator.seek(cell.keyValue, 0)
          iterator.seekForward(key.keyValue, 0)
          expect(presentText(iterator)).toBe(textOf(found))
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('a merge of memstores and files', () => {
  it('leaves a column in all its runs at once', () => {
    fc.assert(
      fc.property(cells, fc.integer({ min: 1, max: 3 }), (written, runs) => {
        const parts = Array.from({ length: runs }, (_, run) => written.filter((_, at) => at % runs === run))
        const iterators = parts
          .filter((part) => part.length > 0)
          .map((part, at) => RUNS[at % RUNS.length]![1](part).iterator(Number.MAX_SAFE_INTEGER))
        const merge = new CellMerge(iterators)
        merge.seek(keyValue(Buffer.of(0), EMPTY), 0)
        const columns: string[] = []
        for (; merge.valid; merge.leaveColumn()) {
          const { buffer, cell } = merge
          columns.push(buffer.toString('hex', cell + 8, cell + buffer.readInt32BE(cell) - 1))
        }
        expect(columns).toEqual([...new Set(inOrder(written).map(columnOf))])
      }),
    )
  })
})
