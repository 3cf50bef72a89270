/** Lives of a store that end by kill -9, each with settings of its own: what was acknowledged is there in the next one. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../adapters/native/options/compaction-options.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { DEFAULT_SPLIT_OPTIONS } from '../../../adapters/native/options/split-options.ts'
import { compareText } from '../../../src/model/compare-text.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { MutationFailure } from '../../../src/store/rows.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { StoreUnderTest, TABLE } from './store-under-test.ts'

const settings = fc
  .record({
    logBytesMax: fc.constantFrom(400, 2000, 1 << 20),
    flushBytes: fc.constantFrom(1000, 3000, 10_000, 1 << 20),
    fileBytesMax: fc.constantFrom(2000, 8000, 1 << 20),
    filesMin: fc.constantFrom(2, 3, 100),
  })
  .map(
    ({ logBytesMax, flushBytes, fileBytesMax, filesMin }): Partial<NativeOptions> => ({
      wal: { logBytesMax, syncEveryBytes: 1000 },
      flushBytes,
      split: { ...DEFAULT_SPLIT_OPTIONS, jitter: 0, fileBytesMax, initialBytes: fileBytesMax },
      compaction: { ...DEFAULT_COMPACTION_OPTIONS, filesMin },
    }),
  )

/** Rows, and whether they are written or deleted; those of one change go into one batch. */
const change = fc.record({ rows: fc.array(fc.nat({ max: 120 }), { maxLength: 20 }), isDelete: fc.boolean() })
const life = fc.record({ options: settings, changes: fc.array(change, { maxLength: 30 }) })

function deleteRows(session: StoreUnderTest, rows: readonly string[]): Promise<readonly MutationFailure[]> {
  const batch = new MutationBatch()
  for (const row of rows) batch.deleteRow(Buffer.from(row)).endMutation()
  return session.store.rows.mutate(TABLE, batch, OWN_CALL)
}

/** As a client does where flushes do not keep up. */
async function untilTaken(change: () => Promise<readonly MutationFailure[]>): Promise<void> {
  for (;;) {
    try {
      expect(await change()).toEqual([])
      return
    } catch (error) {
      if (!isHBaseError(error) || error.code !== 'REGION_TOO_BUSY') throw error
      await nextTurn()
    }
  }
}

it('keeps what it has acknowledged, whatever it does at the next start', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 2, maxLength: 4 }), async (lives) => {
      let session = await StoreUnderTest.open(lives[0]!.options)
      const family = familyDescriptor('f', [['BLOCKSIZE', '1024']])
      await session.createTable(tableDescriptor(TABLE, [family]))
      const present = new Map<string, string>()
      for (const [number, { options, changes }] of lives.entries()) {
        if (number > 0) session = await session.killed(options)
        expect(await session.rows()).toEqual(
          [...present].toSorted(([a], [b]) => compareText(a, b)).map(([row, value]) => `${row}=${value}`),
        )
        session.time += number * 1000
        for (const [index, { rows, isDelete }] of changes.entries()) {
          session.time += 1
          const names = [...new Set(rows)].map((row) => `r${String(row).padStart(4, '0')}`)
          const value = `${number}.${index}${'x'.repeat(50)}`
          await untilTaken(() => (isDelete ? deleteRows(session, names) : session.put(names, { value })))
          for (const name of names) present.delete(name)
          if (!isDelete) for (const name of names) present.set(name, value)
        }
      }
      await session.store.close()
    }),
    { numRuns: testRuns(200) },
  )
})
