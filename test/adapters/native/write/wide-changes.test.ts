/**
 * Changes that are made in several turns of the event loop, against a model: each turn makes a step of two cells. All columns of a row have the
 * same versions at all times, so that a read or a start that finds part of a change shows.
 */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { TABLE, tableOf } from '../store-under-test.ts'
import { CHANGES } from './wide-row-changes.ts'
import { WideRows } from './wide-rows-under-test.ts'

const step = fc.record({
  change: fc.constantFrom(...CHANGES),
  row: fc.nat({ max: 2 }),
  turns: fc.nat({ max: 12 }),
  event: fc.constantFrom(
    ...([
      'none',
      'none',
      'none',
      'none',
      'read',
      'scan',
      'flush',
      'kill',
      'stop',
      'fail',
      'fail briefly',
      'split',
      'alter',
      'hang up',
    ] as const),
  ),
})

test('are seen whole or not at all, in their order, whatever happens meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const rows = await WideRows.open()
      for (const { change, row, turns, event } of steps) {
        await rows.begin(change, row)
        await rows.turns(turns)
        await rows.happens(event)
      }
      await rows.end()
      expect(rows.faults).toEqual([])
    }),
    { numRuns: testRuns(15) },
  )
}, 60_000)

test('are lost with the changes that they were made on, at whatever turn the log fails', async () => {
  for (let turns = 0; turns < 12; turns++) {
    // An increment reads all columns in its first turn.
    const rows = await WideRows.open(16)
    await rows.begin('put', 0)
    await rows.begin('increment', 0)
    await rows.turns(turns)
    await rows.happens('fail briefly')
    await rows.end()
    expect(rows.faults).toEqual([])
  }
})

test('are not made on a condition that held for a delete which the log has lost', async () => {
  for (const wideCost of [2, 4]) {
    for (let turns = 0; turns < 4; turns++) {
      const rows = await WideRows.open(wideCost)
      await rows.begin('put', 0)
      await rows.settled()
      await rows.begin('delete row', 0)
      await rows.begin('checked', 0)
      await rows.turns(turns)
      await rows.happens('fail briefly')
      await rows.end()
      expect(rows.faults).toEqual([])
    }
  }
})

test('end though they make their region flush', async () => {
  let ms = 0
  const store = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => (ms += 30) },
    random: () => 0.5,
    options: { wideCost: 2, flushBytes: 4000, poisonReleased: true },
  })
  await store.catalog.createTable(tableOf('f'), [], OWN_CALL)
  const batch = new MutationBatch()
  const [row, family] = [Buffer.from('r'), Buffer.from('f')]
  for (let i = 0; i < 500; i++) batch.put(row, family, Buffer.from(`q${i}`), row)
  batch.endMutation()
  expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
  expect((await store.rows.get(TABLE, [get(row)], { bytes: 1 << 20 }, OWN_CALL)).counts).toEqual([500])
  await store.close()
})
