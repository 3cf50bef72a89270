import { giveBack, type Lender } from '../../../gateway/loans.ts'
import { CellBlock } from '../../../model/cell-block.ts'
import { someMemory } from '../../../model/mapped-memory.ts'
import { NO_RESULTS, type ScannedResults } from '../../../model/results.ts'
import { ScatteredCells } from '../../../model/scattered-cells.ts'
import { ViewedBytes } from '../../../model/viewed-bytes.ts'
import { rowGoesOn } from './row-goes-on.ts'

/** Results of a page that came in one batch; `partial` as ScanBatch.partial. */
export interface PagePart extends ScannedResults {
  readonly partial?: readonly boolean[] | undefined
}

/** Joins parts to one. Copies the cells of several parts together and gives their loans back. */
export function joined(parts: readonly PagePart[], lender: Lender): PagePart {
  const [first] = parts
  if (first === undefined) return NO_RESULTS
  if (parts.length === 1) return first
  const target = new ViewedBytes(someMemory(partsBytes(parts)))
  const ends: number[] = []
  let end = 0
  for (const part of parts) {
    end = copyCells(part, target, end)
    ends.push(end)
    giveBack(lender, part)
  }
  return {
    cells: new CellBlock(target.buffer),
    counts: parts.flatMap(({ counts }) => counts),
    partial: joinedPartial(parts, target.buffer, ends),
    stale: joinedStale(parts),
  }
}

export function partsBytes(parts: readonly PagePart[]): number {
  let bytes = 0
  for (const { cells } of parts) bytes += cells.byteLength
  return bytes
}

function joinedStale(parts: readonly PagePart[]): boolean[] | undefined {
  if (parts.every(({ stale }) => stale === undefined)) return undefined
  return parts.flatMap(({ counts, stale }) => stale ?? counts.map(() => false))
}

/** Returns the offset after the cells. */
function copyCells({ cells }: PagePart, target: ViewedBytes, offset: number): number {
  if (cells instanceof ScatteredCells) return cells.copyTo(target, offset)
  return offset + cells.buffer.copy(target.buffer, offset, cells.start, cells.end)
}

/** The row of a part's last result may go on in the next part: compares it with the first row there. */
function joinedPartial(
  parts: readonly PagePart[],
  buffer: Buffer,
  ends: readonly number[],
): boolean[] | undefined {
  if (parts.every(({ partial }) => partial === undefined)) return undefined
  return parts.flatMap(({ counts, partial }, index) => {
    if (partial === undefined) return counts.map(() => false)
    if (partial.at(-1) !== true || index === parts.length - 1) return partial
    const start = index === 0 ? 0 : ends[index - 1]!
    const cells = new CellBlock(buffer, start, ends[index])
    const after = new CellBlock(buffer, ends[index], ends[index + 1])
    return partial.with(partial.length - 1, rowGoesOn(cells, after))
  })
}
