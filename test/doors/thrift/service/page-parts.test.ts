import { expect, it } from 'vitest'
import { joined } from '../../../../src/doors/thrift/service/page-parts.ts'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import { longestTurnOfBestTry } from '../../../harness/longest-turn.ts'

const TURN_MS_MAX = 100
const RESULTS = 900_000
const BYTES = 48 * 1024 * 1024

it('parts of many results and bytes are joined in turns', async () => {
  const counts = Array.from({ length: RESULTS }, (_, index) => index % 3)
  const released: number[] = []
  const lender = { release: (loan: number) => released.push(loan) }
  const partOf = (loan: number): Parameters<typeof joined>[0][number] => ({
    cells: new CellBlock(Buffer.alloc(BYTES, loan)),
    counts,
    loan,
  })
  const parts = [partOf(1), partOf(2)]
  const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
    const { cells, counts: all } = await joined(parts, lender)
    expect([cells.byteLength, all.length, all[RESULTS - 1], all[RESULTS]]).toEqual([
      2 * BYTES,
      2 * RESULTS,
      counts.at(-1),
      counts[0],
    ])
  })
  expect(longest).toBeLessThan(TURN_MS_MAX)
  expect(released.slice(0, 2)).toEqual([1, 2])
})
