import { CellBlock } from '../../../src/model/cell-block.ts'
import { bytesOf, copyInSteps, countsInSteps } from '../../../src/model/join-results.ts'
import type { Steps } from '../../../src/model/steps.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { Loans } from './loans.ts'
import type { RegionBatch } from './region-batch.ts'

/** The results of several slices as those of one, in memory of their own. Gives the slices' loans back. */
export function* joinInSteps(
  slices: readonly RegionBatch[],
  loans: Loans,
): Steps<Pick<RegionBatch, 'results' | 'partial'>> {
  const parts = slices.map(({ results }) => results)
  const memory = new ViewedBytes(loans.memory.take(bytesOf(parts)))
  let end = 0
  for (const { cells, loan } of parts) {
    end = yield* copyInSteps(cells, memory, end)
    if (loan !== undefined) loans.release(loan)
  }
  const cells = new CellBlock(memory.buffer, 0, end)
  const results = { cells, counts: yield* countsInSteps(parts), loan: loans.lendBlock(memory.buffer) }
  return { results, partial: partialFlags(slices) }
}

function partialFlags(slices: readonly RegionBatch[]): readonly boolean[] | undefined {
  if (slices.every(({ partial }) => partial === undefined)) return undefined
  const all: boolean[] = []
  for (const { partial, results } of slices)
    for (let i = 0; i < results.counts.length; i++) all.push(partial?.[i] === true)
  return all
}
