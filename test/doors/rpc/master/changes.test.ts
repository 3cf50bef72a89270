/** The changes of rows over native RPC: a follower on another machine sees what one in the server's process sees. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import type { HBaseError } from '../../../../src/model/errors.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Changes } from '../../../../src/store/changes.ts'
import { StoreUnderTest } from '../../../adapters/native/store-under-test.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

const ALL = { bytes: 1 << 20, waitMs: 0 }

describe('over a server on its own engine', () => {
  let session: StoreUnderTest
  let server: RpcServer
  let own: Changes
  let remote: Changes

  beforeAll(async () => {
    session = await StoreUnderTest.open({}, undefined, Math.random)
    server = await startRpcServer({ own: session.store })
    own = server.store.upkeep.changes!
    remote = server.remote.upkeep.changes!
  })

  afterAll(() => server.close())

  test('positions are the same', async () => {
    await session.put(['a'])
    expect(await remote.lastChange(OWN_CALL)).toBe(await own.lastChange(OWN_CALL))
    expect(await remote.firstPosition(OWN_CALL)).toBe(await own.firstPosition(OWN_CALL))
  })

  test('changes are the same, of all tables and of families', async () => {
    const from = await own.lastChange(OWN_CALL)
    await session.put(['b', 'z'])
    await session.put(['c'], { family: 'g', ttlMs: 5000 })
    for (const wanted of [
      ALL,
      { ...ALL, table: TABLE },
      { ...ALL, table: TABLE, families: [Buffer.from('g')] },
    ]) {
      const part = await remote.readChanges(from, wanted, OWN_CALL)
      const expected = await own.readChanges(from, wanted, OWN_CALL)
      expect(part.changes.map(({ cells, ...change }) => ({ ...change, cells: cellsOf(cells) }))).toEqual(
        expected.changes.map(({ cells, ...change }) => ({ ...change, cells: cellsOf(cells) })),
      )
      expect({ ...part, changes: [] }).toEqual({ ...expected, changes: [] })
      expect(part.changes.length).toBeGreaterThan(0)
    }
    expect(await remote.readChanges(from, { ...ALL, table: TABLE, families: [] }, OWN_CALL)).toMatchObject({
      changes: [],
    })
  })

  test('a call waits for a change', async () => {
    const from = await own.lastChange(OWN_CALL)
    const asked = remote.readChanges(from, { ...ALL, waitMs: 60_000 }, OWN_CALL)
    await session.put(['late'])
    const { changes } = await asked
    expect(changes.flatMap(({ cells }) => cellsOf(cells).map(({ row }) => row.toString()))).toEqual(['late'])
  })

  test('a refusal crosses the wire', async () => {
    const beyond = remote.readChanges(2 ** 50, ALL, OWN_CALL)
    await expect(beyond).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
    const missing = remote.readChanges(0, { ...ALL, table: 'missing' as typeof TABLE }, OWN_CALL)
    await expect(missing).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
  })
})

test('a server on another store refuses, and says what to use', async () => {
  const server = await startRpcServer()
  const refusal = await server.remote.upkeep.changes!.lastChange(OWN_CALL).catch((error: HBaseError) => error)
  expect(refusal).toMatchObject({ code: 'UNSUPPORTED' })
  expect((refusal as HBaseError).message).toContain('replication')
  await server.close()
})
