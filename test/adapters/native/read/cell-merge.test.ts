import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SeekKey } from '../../../../adapters/native/cells/seek-key.ts'
import { CellMerge } from '../../../../adapters/native/read/cell-merge.ts'
import { compareBytes, EMPTY } from '../../../../src/model/bytes.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf, type CellBlock, CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { SortedRun, type WrittenCell } from './sorted-run.ts'

/** No row has greater first bytes: a run that has ended sorts after it nevertheless. */
const GREATEST = '\xff'.repeat(12)

/** Rows that agree for long and differ by zeros, sign bits and length: around the 12 bytes that heads compare first. */
const row = fc
  .tuple(
    fc.constantFrom('', 'aaaa', 'aaaaaaaa', 'aaaaaaaaaaaa', GREATEST),
    fc.array(fc.constantFrom(0, 0x61, 0xff), { maxLength: 5 }),
  )
  .map(([start, end]) => Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(end)]))
  .filter((bytes) => bytes.length > 0)

const cells = fc.array(
  fc.record({ row, run: fc.nat({ max: 5 }), valueBytes: fc.constantFrom(0, 1, 2, 3, 4, 5, 300) }),
  { maxLength: 40 },
)

function written(rowBytes: Buffer, valueBytes: number, sequenceId: number): WrittenCell {
  return {
    row: rowBytes,
    family: Buffer.from('f'),
    qualifier: Buffer.from('q'),
    timestamp: 1n,
    type: CellType.Put,
    value: Buffer.alloc(valueBytes, sequenceId),
    sequenceId,
  }
}

it('shows the cells of all runs in order, of equal keys the newest run first, from wherever it is sought', () => {
  fc.assert(
    fc.property(cells, row, (chosen, start) => {
      // The sequence ids of run 5 are the greatest, as those of a memstore are.
      const all = chosen.map((cell, at) => ({
        ...written(cell.row, cell.valueBytes, cell.run * 40 + at),
        run: cell.run,
      }))
      const runs = [5, 4, 3, 2, 1, 0].map((run) => new SortedRun(all.filter((cell) => cell.run === run)))
      const expected = all
        .filter((cell) => compareBytes(cell.row, start) >= 0)
        .sort((a, b) => compareBytes(a.row, b.row) || b.sequenceId - a.sequenceId)
      const merge = new CellMerge(runs.map((run) => run.iterator(1000)))
      const key = new SeekKey()
      key.firstOfRow(start)
      const builder = new CellBlockBuilder(16)
      for (merge.seek(key.buffer, 0); merge.valid; merge.next()) merge.appendTo(builder)
      expect(cellsOf(builder.block())).toEqual(cellsOf(blockOf(expected)))
    }),
    { numRuns: 300 },
  )
})

it('leaves a column in all runs, and says that it has left the row only where it has', () => {
  fc.assert(
    fc.property(cells, (chosen) => {
      const all = chosen.map((cell, at) => ({ ...written(cell.row, 1, at + 1), run: cell.run }))
      const runs = [0, 1, 2, 3, 4, 5].map((run) => new SortedRun(all.filter((cell) => cell.run === run)))
      const merge = new CellMerge(runs.map((run) => run.iterator(1000)))
      const key = new SeekKey()
      key.firstOfRow(EMPTY)
      const rows: string[] = []
      for (merge.seek(key.buffer, 0); merge.valid; merge.leaveColumn()) {
        const [cell] = cellsOf(present(merge))
        const found = cell!.row.toString('hex')
        if (merge.hasLeftRow) expect(found).not.toBe(rows.at(-1))
        rows.push(found)
      }
      const wanted = new Set(all.map((cell) => cell.row.toString('hex')))
      expect(rows).toEqual([...wanted].sort())
    }),
    { numRuns: 300 },
  )
})

function present(merge: CellMerge): CellBlock {
  const builder = new CellBlockBuilder(16)
  merge.appendTo(builder)
  return builder.block()
}
