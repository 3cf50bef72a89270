/** Feeds of random histories, cut at random lines and gone on with from their tokens, against a model. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, TABLE } from '../../../adapters/native/store-under-test.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { type RestServer, startRestServer } from '../rest-server.ts'
import { FeedReader } from './feed-reader.ts'

const ROWS = ['a', 'b', 'ba', 'c'] as const
const FAMILIES = ['f', 'g'] as const

interface Write {
  readonly row: (typeof ROWS)[number]
  readonly family: (typeof FAMILIES)[number]
  readonly qualifier: string
  readonly isDeleted: boolean
}

const write: fc.Arbitrary<Write> = fc.record({
  row: fc.constantFrom(...ROWS),
  family: fc.constantFrom(...FAMILIES),
  qualifier: fc.constantFrom('q', 'r'),
  isDeleted: fc.boolean(),
})
const batches = fc.array(fc.array(write, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })
const query = fc.record({
  prefix: fc.constantFrom('', 'b', 'c'),
  columns: fc.constantFrom('', '/f', '/f:q,g', '/g:r'),
})

/** As the feed's lines name the cells of one write. */
function cellText({ row, family, qualifier, isDeleted }: Write, number: number): string {
  return `${row} ${family}:${qualifier} ${isDeleted ? 'DeleteColumn' : 'Put'} ${number}`
}

function isWanted({ row, family, qualifier }: Write, prefix: string, columns: string): boolean {
  if (!row.startsWith(prefix)) return false
  const names = columns === '' ? [] : columns.slice(1).split(',')
  return names.length === 0 || names.includes(family) || names.includes(`${family}:${qualifier}`)
}

function batchOf(writes: readonly Write[], firstNumber: number): MutationBatch {
  const batch = new MutationBatch()
  for (const [index, { row, family, qualifier, isDeleted }] of writes.entries()) {
    const parts = [row, family, qualifier].map((each) => Buffer.from(each)) as [Buffer, Buffer, Buffer]
    // The timestamp names the write.
    const time = BigInt(firstNumber + index)
    if (isDeleted) batch.deleteColumn(...parts, time)
    else batch.put(...parts, Buffer.from('v'), time)
    batch.endMutation()
  }
  return batch
}

/** Reads so many cells' lines, cut into connections of the given numbers of lines. */
async function readCut(
  server: RestServer,
  path: string,
  count: number,
  cuts: readonly number[],
): Promise<string[]> {
  const found: string[] = []
  let token = 'oldest'
  for (let connection = 0; found.length < count; connection++) {
    const feed = await FeedReader.open(server.port, `${path}?changes=${token}`)
    expect(feed.status).toBe(200)
    for (let left = cuts[connection % cuts.length]!; left > 0 && found.length < count; left--) {
      const line = (await feed.change())!
      expect(line.error).toBeUndefined()
      for (const { column, type, timestamp } of line.cells!)
        found.push(`${line.key} ${column} ${type} ${timestamp}`)
    }
    token = feed.token
    feed.close()
  }
  return found
}

test('have each wanted change once and in order', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      batches,
      query,
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
      fc.nat(12),
      async (written, { prefix, columns }, cuts, splitAfter) => {
        const session = await StoreUnderTest.open({}, undefined, Math.random)
        const server = await startRestServer({}, {}, session.store)
        try {
          const expected: string[] = []
          let number = 1
          for (const [index, writes] of written.entries()) {
            expect(await session.store.rows.mutate(TABLE, batchOf(writes, number), OWN_CALL)).toEqual([])
            for (const [at, each] of writes.entries())
              if (isWanted(each, prefix, columns)) expected.push(cellText(each, number + at))
            number += writes.length
            if (index === splitAfter)
              await session.store.upkeep.regions!.splitTable(TABLE, Buffer.from('b'), OWN_CALL)
          }
          const found = await readCut(server, `/t/${prefix}*${columns}`, expected.length, cuts)
          expect(byRow(found)).toEqual(byRow(expected))
          expect(numbersOf(found)).toEqual(numbersOf(expected))
        } finally {
          await server.close()
        }
      },
    ),
    { numRuns: testRuns(40), ...(SEED !== undefined && { seed: SEED }) },
  )
})

/** The order of the changes of each row. */
function byRow(cells: readonly string[]): Map<string, string[]> {
  const rows = new Map<string, string[]>()
  for (const cell of cells) {
    const [row = ''] = cell.split(' ')
    rows.set(row, [...(rows.get(row) ?? []), cell])
  }
  return rows
}

function numbersOf(cells: readonly string[]): number[] {
  return cells.map((cell) => Number(cell.split(' ').at(-1))).toSorted((a, b) => a - b)
}
