/** A scan over regions that it does not hold yet reads what was there when it was opened, whatever happens to them meanwhile. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { scan } from '../../../../src/model/query.ts'
import { gathered, type ScannedResults } from '../../../../src/model/results.ts'
import { rangeOfScan, regionsOfScan } from '../../../../src/query/row-range.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { rest, StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const KEYS = ['', 'a', 'b', 'c', 'd', 'e', 'f'] as const
const key = fc.constantFrom(...KEYS)
const bytes = (text: string): Buffer => Buffer.from(text)
const seed = SEED === undefined ? {} : { seed: SEED }

test('the range of a scan has the regions that overlap it', () => {
  const splits = fc.uniqueArray(fc.constantFrom('b', 'c', 'cc', 'd', 'e'))
  fc.assert(
    fc.property(splits, key, key, fc.boolean(), (drawn, start, stop, reversed) => {
      const ends = [...drawn.sort(), '']
      const regions = ends.map((end, i) => ({ startKey: bytes(ends[i - 1] ?? ''), endKey: bytes(end) }))
      const query = scan({ startRow: bytes(start), stopRow: bytes(stop), reversed })
      const { from, to } = rangeOfScan(regions, query)
      const within = regions.slice(from, to)
      expect(reversed ? within.reverse() : within).toEqual(regionsOfScan(regions, query))
    }),
    { numRuns: testRuns(500), ...seed },
  )
})

type Change =
  | { readonly kind: 'put' | 'delete' | 'overwrite'; readonly rows: readonly string[] }
  | { readonly kind: 'flush' | 'compact' | 'split' | 'merge'; readonly region: number }

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('put' as const, 'put' as const, 'delete' as const),
    rows: fc.array(
      fc.tuple(key, fc.nat(9)).map(([at, n]) => `${at}${n}`),
      { minLength: 1, maxLength: 12 },
    ),
  }),
  key.map((at) => ({ kind: 'overwrite' as const, rows: [`${at}1`, `${at}2`] })),
  fc.record({
    kind: fc.constantFrom('flush', 'flush', 'compact', 'split', 'merge'),
    region: fc.nat(8),
  }),
)

async function deleteRows({ store }: StoreUnderTest, rows: readonly string[]): Promise<void> {
  const batch = new MutationBatch()
  for (const row of rows) batch.deleteRow(bytes(row)).endMutation()
  await store.rows.mutate(TABLE, batch, OWN_CALL)
}

async function make(session: StoreUnderTest, made: Change, number: number): Promise<void> {
  const { store } = session
  if ('rows' in made) {
    session.time++
    // More versions than a memstore keeps.
    for (let left = made.kind === 'overwrite' ? 30 : 0; left > 0; left--) {
      await session.put(made.rows, { value: `${number}` })
      session.time++
    }
    if (made.kind === 'put') await session.put(made.rows, { value: `${number}` })
    if (made.kind === 'delete') await deleteRows(session, made.rows)
    return
  }
  const regions = await store.catalog.regions(TABLE, OWN_CALL)
  const at = made.region % regions.length
  const { name } = regions[at]!
  const { flushes, compactions, regions: changes } = store.upkeep
  if (made.kind === 'flush') await flushes!.flushRegion(name, undefined, OWN_CALL)
  if (made.kind === 'compact') {
    await compactions!.compactRegion(name, { major: true }, OWN_CALL)
    await expect.poll(async () => compactions!.compactionState(TABLE, OWN_CALL)).toBe('NONE')
  }
  // A region without a middle is not split.
  if (made.kind === 'split') await changes!.splitRegion(name, undefined, OWN_CALL).catch(() => undefined)
  const next = regions[at + 1]
  if (made.kind === 'merge' && next !== undefined)
    await changes!.mergeRegions([name, next.name], true, OWN_CALL)
}

function textsOf(results: ScannedResults): string[] {
  return cellsOf(gathered(results).cells).map(({ row, value }) => `${row.toString()}=${value.toString()}`)
}

test('a scan over regions that change reads what was there when it was opened', async () => {
  const changes = fc.array(change, { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      changes,
      changes,
      fc.boolean(),
      key,
      fc.nat(3),
      async (before, during, reversed, from, pace) => {
        const session = await StoreUnderTest.open({ scanSliceCells: 2 })
        await session.createTable(tableOf('f'), KEYS.slice(2))
        let number = 0
        for (const each of before) await make(session, each, number++)
        const range = { reversed, ...(reversed ? { stopRow: bytes(from) } : { startRow: bytes(from) }) }
        const expected = await session.rows(range)
        const scanner = await session.scanner(range)
        const limits = { rows: 1, bytes: 1, allowPartial: false }
        const found: string[] = []
        let isOver = false
        // Between two changes, the scan goes on by a row, or not.
        for (const each of during) {
          await make(session, each, number++)
          if (isOver || number % 3 < pace) continue
          const { results, ended } = await scanner.next(limits, OWN_CALL)
          found.push(...textsOf(results))
          isOver = ended === 'scan'
        }
        if (!isOver) found.push(...(await rest(scanner, 3)))
        expect(found).toEqual(expected)
        await scanner.close()
        await session.store.close()
      },
    ),
    { numRuns: testRuns(60), ...seed },
  )
}, 60_000)
