/** Batches with changes that take several turns of the event loop. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { TABLE, tableOf } from '../store-under-test.ts'

const [WIDE, OTHER, FAMILY] = ['a', 'n', 'f'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
const COLUMNS = 40

function batchOf(): MutationBatch {
  const batch = new MutationBatch()
  for (let i = 0; i < COLUMNS; i++) batch.put(WIDE, FAMILY, Buffer.from(`q${i}`), Buffer.from('v'))
  batch.endMutation()
  batch.put(OTHER, FAMILY, Buffer.from('q'), Buffer.from('v')).endMutation()
  return batch
}

test('a region that is closed meanwhile fails its own changes alone', async () => {
  let refused = 0
  for (let turns = 0; turns < 25; turns++) {
    let ms = 0
    const store = await openNativeStore({
      directory: '/s',
      fileSystem: new CrashableFileSystem(),
      // A turn is over after each step.
      clock: { now: () => (ms += 100) },
      random: () => 0.5,
      options: { wideCost: 2 },
    })
    await store.catalog.createTable(tableOf('f'), [Buffer.from('m')], OWN_CALL)
    const [first] = await store.catalog.regions(TABLE, OWN_CALL)
    const written = store.rows.mutate(TABLE, batchOf(), OWN_CALL)
    for (let turn = 0; turn < turns; turn++) await nextTurn()
    await store.upkeep.regions!.unassignRegion(first!.name, OWN_CALL)
    const failures = await written
    for (const { index, error } of failures) expect([index, error.code]).toEqual([0, 'NOT_SERVING_REGION'])
    refused += failures.length
    const read = await store.rows.get(TABLE, [get(OTHER)], { bytes: 1000 }, OWN_CALL)
    expect(read.counts).toEqual([1])
    await store.close()
  }
  expect(refused).toBeGreaterThan(0)
})
