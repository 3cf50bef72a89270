/** Batches of a scan that go on from one region to the next. */

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import type { Scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const ROWS = numbered(120)
const SPLITS = ROWS.filter((_, index) => index % 7 === 5)
const ALL: ScanLimits = { rows: 1_000_000, bytes: 1 << 30, allowPartial: false }

interface Read {
  readonly rows: string[]
  readonly batches: number[]
}

async function filled(splits: readonly string[]): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f', 'g'), splits)
  await session.put(ROWS)
  await session.put(ROWS.slice(10, 30), { family: 'g' })
  await session.flush()
  // Regions with rows that are not plain, overwritten ones, and some without any.
  const batch = new MutationBatch()
  for (const row of ROWS.slice(40, 62)) batch.deleteRow(Buffer.from(row)).endMutation()
  await session.store.rows.mutate(TABLE, batch, OWN_CALL)
  session.time++
  await session.put(ROWS.slice(75, 100), { value: 'w' })
  return session
}

async function read(
  session: StoreUnderTest,
  query: Partial<Scan>,
  steps: readonly ScanLimits[],
): Promise<Read> {
  const { handouts } = session.store
  const scanner = await session.scanner(query)
  const rows: string[] = []
  const batches: number[] = []
  for (let step = 0, isOver = false; !isOver; step++) {
    expect(step).toBeLessThan(2000)
    const limits = steps[step % steps.length]!
    const { results, ended } = await scanner.next(limits, OWN_CALL)
    expect(results.counts.length).toBeLessThanOrEqual(limits.rows)
    batches.push(results.counts.length)
    for (const { row, family, timestamp, value } of cellsOf(gathered(results).cells)) {
      const [rowText, familyText, valueText] = [row, family, value].map((bytes) => bytes.toString('latin1'))
      rows.push(`${rowText} ${familyText} ${timestamp} ${valueText}`)
    }
    if (results.loan !== undefined) handouts.release(results.loan)
    isOver = ended === 'scan'
  }
  await scanner.close()
  return { rows, batches }
}

const limits = fc.record({
  rows: fc.integer({ min: 1, max: 60 }),
  bytes: fc.oneof(fc.constant(1 << 20), fc.integer({ min: 0, max: 2000 })),
  allowPartial: fc.boolean(),
  allowScattered: fc.boolean(),
  cellBytes: fc.constantFrom(0, 0, 10),
})

const queries = fc.record({
  reversed: fc.boolean(),
  limit: fc.constantFrom(0, 0, 1, 17, 90),
  columns: fc.constantFrom([], [{ family: Buffer.from('f'), qualifiers: [] }]),
  raw: fc.constantFrom(false, false, true),
})

describe('a scan over many regions', () => {
  let [one, many]: StoreUnderTest[] = []
  beforeAll(async () => {
    one = await filled([])
    many = await filled(SPLITS)
  })
  afterAll(async () => {
    await one!.store.close()
    await many!.store.close()
  })

  it('gives the rows that one region gives, whatever its limits', async () => {
    await fc.assert(
      fc.asyncProperty(queries, fc.array(limits, { minLength: 1, maxLength: 3 }), async (query, steps) => {
        const wanted = await read(one!, query, [ALL])
        expect((await read(many!, query, steps)).rows).toEqual(wanted.rows)
      }),
      { numRuns: 25 },
    )
  })

  it('fills its batches with the rows of several regions', async () => {
    const query = { columns: [{ family: Buffer.from('f'), qualifiers: [] }] }
    for (const allowScattered of [false, true]) {
      const { batches } = await read(many!, query, [{ ...ALL, rows: 25, allowScattered }])
      expect(batches.filter((rows) => rows > 0)).toEqual([25, 25, 25, 23])
      expect((await read(many!, query, [{ ...ALL, allowScattered }])).batches).toEqual([98])
    }
  })
})

describe('a region that cannot be read', () => {
  it.each([0, 30])(
    'from row %i on fails the scan only behind the regions before it, again and again',
    async (from) => {
      const session = await StoreUnderTest.open({ blockCacheBytes: 0 })
      const family = familyDescriptor('f', [['BLOCKSIZE', '1024']])
      await session.createTable(tableDescriptor(TABLE, [family]), ['b', 'c'])
      const rows = ['a', ...numbered(40).map((name) => `b${name}`), 'c']
      for (const row of rows) await session.put([row], { value: `${row} ${'x'.repeat(100)}` })
      await session.flush()
      const files = session.fileSystem
      const path = session.paths('/s/data').find((each) => files.bytesOf(each).includes('br000000 '))!
      const whole = Buffer.from(files.bytesOf(path))
      const damaged = Buffer.from(whole)
      damaged[damaged.indexOf(`${rows[1 + from]} `)]! ^= 1
      for (const allowScattered of [false, true]) {
        const scanner = await session.scanner()
        files.overwrite(path, damaged)
        const { results, ended } = await scanner.next({ ...ALL, allowScattered }, OWN_CALL)
        expect(cellsOf(gathered(results).cells).map(({ row }) => String(row))).toEqual(['a'])
        expect(ended).toBe('region')
        for (let attempt = 0; attempt < 2; attempt++)
          await expect(scanner.next({ ...ALL, allowScattered }, OWN_CALL)).rejects.toMatchObject({
            code: 'CORRUPTION',
          })
        await scanner.close()
        files.overwrite(path, whole)
        expect(await session.rows()).toHaveLength(42)
      }
      await session.store.close()
    },
  )
})
