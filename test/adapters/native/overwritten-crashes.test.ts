/** Columns that are overwritten over and over, in families whose memstores drop at once: what was acknowledged last is read. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { StoreUnderTest, TABLE } from './store-under-test.ts'

const DESCRIPTOR = tableDescriptor(TABLE, [familyDescriptor('f', [['IN_MEMORY_COMPACTION', 'EAGER']])])

/** Rows that are written in one turn of the event loop, and what happens around it. */
interface Burst {
  readonly rows: string[]
  /** Whether the log refuses the burst. */
  readonly fails: boolean
  readonly next: 'nothing' | 'a flush' | 'a kill' | 'a later time'
}

const anyBurst: fc.Arbitrary<Burst> = fc.record({
  rows: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 }),
  fails: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
  next: fc.constantFrom('nothing', 'nothing', 'a flush', 'a kill', 'a later time'),
})

it('the last acknowledged value is read after failures of the log, flushes and kills', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyBurst, { minLength: 5, maxLength: 20 }), async (bursts) => {
      let session = await StoreUnderTest.open()
      await session.store.catalog.createTable(DESCRIPTOR, [], OWN_CALL)
      const expected = new Map<string, string>()
      let number = 0
      for (const { rows, fails, next } of bursts) {
        if (fails) session.fileSystem.failAppends({ after: 0, writtenBytes: 5 })
        const writes = rows.map((row) => ({ row, value: `v${++number}` }))
        const outcomes = await Promise.allSettled(
          writes.map(({ row, value }) => session.put([row], { value })),
        )
        for (const [at, { status }] of outcomes.entries())
          if (status === 'fulfilled') expected.set(writes[at]!.row, writes[at]!.value)
        if (fails) {
          expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
          session.fileSystem.repair()
          await session.store.outage()
        }
        if (next === 'a flush') await session.flush()
        if (next === 'a later time') session.time++
        if (next === 'a kill') {
          const { time } = session
          session = await session.killed()
          session.time = time
        }
        const values = [...expected].map(([row, value]) => `${row}=${value}`).sort()
        expect(await session.rows()).toEqual(values)
      }
      await session.store.close()
    }),
    { numRuns: testRuns(60) },
  )
})
