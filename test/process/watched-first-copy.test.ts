/** A standby says how far its first copy is, and is alive all the while. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { get } from '../../src/model/query.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { openRpcStore } from '../harness/rpc-store.ts'
import { inTemporaryFolder, startTidegate } from '../harness/tidegate-process.ts'
import { watchedStart } from '../harness/watched-start.ts'

const TABLE = parseTableName('copied')
const ROWS = 100
const VALUE_BYTES = 500_000

/** Writes 50 MB, and flushes them: a copy has them as a file. */
async function fill(port: number): Promise<void> {
  const store = await openRpcStore(port)
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  for (let row = 0; row < ROWS; row++) {
    const batch = new MutationBatch()
    batch.put(Buffer.from(`r${row}`), Buffer.from('f'), Buffer.from('q'), randomBytes(VALUE_BYTES))
    batch.endMutation()
    expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  }
  await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
  await store.close()
}

async function cellsOf(port: number): Promise<readonly number[]> {
  const store = await openRpcStore(port)
  const gets = Array.from({ length: ROWS }, (_, row) => get(Buffer.from(`r${row}`)))
  const { counts } = await store.rows.get(TABLE, gets, { bytes: 1 << 27 }, OWN_CALL)
  await store.close()
  return counts
}

test('a standby says how far its first copy is, and is alive all the while', { timeout: 300_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const leader = await startTidegate(`native:${join(folder, 'leader')}`)
    await fill(leader.port('rpc'))
    const follow = ['--follow', `rpc:127.0.0.1:${leader.port('rpc')}`]
    const { server, starting, live } = await watchedStart(`native:${join(folder, 'standby')}`, ...follow)
    expect([...live]).toEqual([200])
    const works = starting.flatMap(({ progress }) => (progress === undefined ? [] : [progress]))
    const copying = works.filter(({ work }) => work === 'copying the leader')
    expect(copying.length).toBeGreaterThan(0)
    for (const { bytesTotal } of copying) expect(bytesTotal).toBeGreaterThan(ROWS * VALUE_BYTES)
    expect(await cellsOf(server.port('rpc'))).toEqual(Array.from({ length: ROWS }, () => 1))
    await server.stop()
    await leader.stop()
  }),
)
