import { giveBack, type Lender } from '../../../gateway/reads/loans.ts'
import { CellBlock } from '../../../model/cell-block.ts'
import { bytesOf, copyInSteps, countsInSteps } from '../../../model/join-results.ts'
import { inTurnsIfMany } from '../../../model/many-a-turn.ts'
import { someMemory } from '../../../model/mapped-memory.ts'
import { NO_RESULTS, type ScannedResults } from '../../../model/results.ts'
import type { Steps } from '../../../model/steps.ts'
import { ViewedBytes } from '../../../model/viewed-bytes.ts'
import { rowGoesOn } from './row-goes-on.ts'

/** Results of a page that came in one batch. `partial`: see ScanBatch. */
export interface PagePart extends ScannedResults {
  readonly partial?: readonly boolean[] | undefined
}

/** A page that is being read. */
export interface PageBegun {
  readonly parts: PagePart[]
  /** Number of results that are still missing. */
  missing: number
  bytes: number
}

/** Joins parts into one. Copies the cells of several parts, in turns of the event loop where they are many, and gives their loans back. */
export function joined(parts: readonly PagePart[], lender: Lender): PagePart | Promise<PagePart> {
  const [first] = parts
  if (first === undefined) return NO_RESULTS
  return parts.length === 1 ? first : inTurnsIfMany(bytesOf(parts), joinInSteps(parts, lender))
}

function* joinInSteps(parts: readonly PagePart[], lender: Lender): Steps<PagePart> {
  const target = new ViewedBytes(someMemory(bytesOf(parts)))
  const ends: number[] = []
  let end = 0
  for (const part of parts) {
    end = yield* copyInSteps(part.cells, target, end)
    ends.push(end)
    giveBack(lender, part)
  }
  const counts = yield* countsInSteps(parts)
  yield
  const partial = joinedPartial(parts, target.buffer, ends)
  return { cells: new CellBlock(target.buffer), counts, partial, stale: joinedStale(parts) }
}

function joinedStale(parts: readonly PagePart[]): boolean[] | undefined {
  if (parts.every(({ stale }) => stale === undefined)) return undefined
  const all: boolean[] = []
  for (const { counts, stale } of parts) for (let i = 0; i < counts.length; i++) all.push(stale?.[i] === true)
  return all
}

/** Joins the `partial` of parts. The row of a part's last result may continue in the next part: compares it with the first row there. */
function joinedPartial(
  parts: readonly PagePart[],
  buffer: Buffer,
  ends: readonly number[],
): boolean[] | undefined {
  if (parts.every(({ partial }) => partial === undefined)) return undefined
  const all: boolean[] = []
  for (const [index, { counts, partial }] of parts.entries()) {
    for (let i = 0; i < counts.length; i++) all.push(partial?.[i] === true)
    if (partial?.at(-1) !== true || index === parts.length - 1) continue
    const start = index === 0 ? 0 : ends[index - 1]!
    const cells = new CellBlock(buffer, start, ends[index])
    const after = new CellBlock(buffer, ends[index], ends[index + 1])
    all[all.length - 1] = rowGoesOn(cells, after)
  }
  return all
}
