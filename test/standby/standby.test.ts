import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import {
  ReplicationPeerDescriptionSchema,
  ReplicationPeerSchema,
  ReplicationState_State,
} from '../../src/wire/rpc/gen/replication_pb.ts'
import { bytes, Server } from '../replication/two-servers.ts'
import { caughtUp, PairServer, T, until } from './pair.ts'

const U = parseTableName('ns:u')
const PROMOTION = { keepsIdentity: false, waitMs: 0 }

describe('a standby', { timeout: 60_000 }, () => {
  let leader: PairServer
  let standby: PairServer

  beforeEach(async () => {
    leader = await new PairServer().start()
    standby = new PairServer()
  })

  afterEach(async () => {
    await standby.remove()
    await leader.remove()
  })

  function follow(): Promise<PairServer> {
    return standby.start({ follow: `rpc:${leader.address}` })
  }

  test('has what the leader had before, and gets what comes', async () => {
    await leader.makeTable(T, ['f', 'g'], ['m'])
    await leader.put('a', '1')
    await leader.mutate((batch) => batch.deleteColumn(bytes('z'), bytes('f'), bytes('q')))
    await follow()
    expect(await standby.content()).toEqual(await leader.content())
    expect(await standby.store.catalog.regions(T, OWN_CALL)).toHaveLength(2)
    await leader.put('b', '2')
    await leader.put('n', '3', T, 'g')
    await leader.mutate((batch) => batch.deleteRow(bytes('a')))
    await leader.mutate((batch) => batch.put(bytes('t'), bytes('f'), bytes('q'), bytes('v')), {
      ttlMs: 9_000_000,
    })
    expect((await caughtUp(leader, standby)).join('\n')).toContain('=3 ')
    expect(await standby.store.clusterId()).not.toBe(await leader.store.clusterId())
    expect(await standby.store.upkeep.changes!.logHolds(OWN_CALL)).toEqual([])
  })

  test('follows namespaces, tables, families and states', async () => {
    await follow()
    await leader.store.catalog.createNamespace({ name: 'ns', properties: new Map([['a', 'b']]) }, OWN_CALL)
    await leader.makeTable(U)
    await leader.makeTable(T, ['f', 'g'])
    await leader.put('a', '1', U)
    await leader.put('a', '1', T, 'g')
    await caughtUp(leader, standby)
    const described = await leader.store.catalog.table(T, OWN_CALL)
    await leader.store.catalog.modifyTable(
      { ...described, families: described.families.slice(0, 1) },
      OWN_CALL,
    )
    await leader.put('b', '2')
    await leader.store.catalog.modifyTable(described, OWN_CALL)
    await leader.put('c', '3', T, 'g')
    await leader.store.catalog.disableTable(U, OWN_CALL)
    await caughtUp(leader, standby)
    await leader.store.catalog.enableTable(U, OWN_CALL)
    await leader.put('b', '2', U)
    await leader.store.catalog.disableTable(U, OWN_CALL)
    await caughtUp(leader, standby)
    await leader.store.catalog.enableTable(U, OWN_CALL)
    await caughtUp(leader, standby)
    await leader.dropTable(U)
    await leader.store.catalog.deleteNamespace('ns', OWN_CALL)
    await caughtUp(leader, standby)
  })

  test('empties tables that were dropped and made again, or truncated, while it was away', async () => {
    await leader.makeTable()
    await leader.makeTable(parseTableName('u'))
    await leader.put('a', 'old')
    await leader.put('a', 'old', parseTableName('u'))
    await follow()
    await standby.stop()
    await leader.put('b', 'old')
    await leader.dropTable()
    await leader.makeTable()
    await leader.put('c', 'new')
    const u = parseTableName('u')
    await leader.put('b', 'old', u)
    await leader.store.catalog.disableTable(u, OWN_CALL)
    await leader.store.catalog.truncateTable(u, true, OWN_CALL)
    await leader.put('c', 'new', u)
    await follow()
    expect((await caughtUp(leader, standby)).join('\n')).not.toContain('=old ')
  })

  test('copies a table anew that a snapshot has changed', async () => {
    await leader.makeTable()
    await leader.put('a', 'first')
    await follow()
    const { snapshots } = leader.store.upkeep
    await snapshots!.createSnapshot('s', T, 'FLUSH', OWN_CALL)
    await leader.put('b', 'second')
    await leader.store.catalog.disableTable(T, OWN_CALL)
    await snapshots!.restoreSnapshot('s', OWN_CALL)
    await until(
      async () => (await standby.health()).troubles?.join().includes('is not as at the leader') === true,
    )
    await leader.store.catalog.enableTable(T, OWN_CALL)
    await leader.put('c', 'third')
    await caughtUp(leader, standby)
    await snapshots!.cloneSnapshot('s', parseTableName('cloned'), OWN_CALL)
    expect((await caughtUp(leader, standby)).join('\n')).toContain('cloned a/f:q')
    await until(async () => (await standby.health()).status === 'ok')
  })

  test('refuses changes, and answers reads, health and metrics', async () => {
    await leader.makeTable()
    await follow()
    await expect(standby.put('a', '1')).rejects.toThrow(
      `this server is a standby, which takes no changes: write to its leader, ${leader.address}`,
    )
    await expect(standby.makeTable(U)).rejects.toThrow('standby')
    const { status, standby: facts } = await standby.health()
    expect(status).toBe('ok')
    expect(facts).toMatchObject({ role: 'standby', epoch: 1, leader: leader.address, lagBytes: 0 })
    expect(await standby.metrics()).toContain('tidegate_standby_lag_seconds')
    expect((await leader.health()).standby).toEqual({ role: 'leader', epoch: 1 })
  })

  test('leads once it is promoted, and the old leader does not any more', async () => {
    await leader.makeTable()
    await leader.put('a', '1')
    await follow()
    await caughtUp(leader, standby)
    const { state, isWhole, loss } = await standby.standby.promote({ ...PROMOTION, waitMs: 20_000 }, OWN_CALL)
    expect(state).toMatchObject({ role: 'leader', epoch: 2, leader: undefined })
    expect(isWhole).toBe(true)
    expect(loss).toBe(`nothing is lost: ${leader.address} takes no more changes, and all of them are applied`)
    await standby.put('b', '2')
    await expect(leader.put('c', '3')).rejects.toThrow(`${standby.address} was promoted in its place`)
    await leader.stop()
    await leader.start()
    await expect(leader.put('c', '3')).rejects.toThrow(`${standby.address} was promoted in its place`)
    expect((await leader.health()).status).toBe('degraded')
    // Its flags may stay as they were.
    await standby.stop()
    await follow()
    await standby.put('d', '4')
    await leader.stop()
    await leader.start({ lead: true })
    await leader.put('c', '3')
    await until(async () => (await standby.state()).role === 'retired')
    await expect(standby.put('e', '5')).rejects.toThrow(`${leader.address} was promoted in its place`)
  })

  test('leads though its leader is dead, which refuses to lead when it comes back', async () => {
    await leader.makeTable()
    await leader.put('a', '1')
    await follow()
    await caughtUp(leader, standby)
    await leader.stop()
    const { isWhole, loss } = await standby.standby.promote({ ...PROMOTION, waitMs: 20_000 }, OWN_CALL)
    expect(isWhole).toBe(false)
    expect(loss).toContain('applied up to position')
    expect(loss).toContain('the leader was not reached')
    await standby.put('b', '2')
    await leader.start()
    await expect(leader.put('c', '3')).rejects.toThrow('was promoted in its place')
    expect(await leader.state()).toMatchObject({ role: 'retired', epoch: 2, leader: standby.address })
    await expect(standby.standby.promote(PROMOTION, OWN_CALL)).rejects.toThrow('leads already')
    await leader.standby.promote(PROMOTION, OWN_CALL)
    await leader.put('c', '3')
    await until(async () => (await standby.state()).role === 'retired')
  })

  test('disables the replication peers of its leader where it gets an identity of its own', async () => {
    const target = await new Server().start()
    const config = Buffer.from(
      toBinary(
        ReplicationPeerSchema,
        create(ReplicationPeerSchema, { clusterkey: target.clusterKey, replicateAll: true }),
      ),
    )
    const { peers } = leader.store.upkeep
    await peers!.changePeer('p', { kind: 'ADD', config, isEnabled: true }, OWN_CALL)
    await follow()
    expect((await standby.health()).troubles).toBeUndefined()
    const { disabledPeers } = await standby.standby.promote({ ...PROMOTION, waitMs: 20_000 }, OWN_CALL)
    expect(disabledPeers).toEqual(['p'])
    const [peer] = await standby.store.upkeep.peers!.listPeers(OWN_CALL)
    expect(fromBinary(ReplicationPeerDescriptionSchema, peer!).state!.state).toBe(
      ReplicationState_State.DISABLED,
    )
    await target.remove()
  })

  test('takes the identity of its leader where that is asked for', async () => {
    await follow()
    const id = await leader.store.clusterId()
    await standby.standby.promote({ keepsIdentity: true, waitMs: 10_000 }, OWN_CALL)
    expect((await standby.state()).clusterId).toBe(id)
    await standby.stop()
    await follow()
    expect((await standby.state()).clusterId).toBe(id)
  })

  test('says that it has lost the log, keeps what it has, and copies anew into an empty folder', async () => {
    await leader.makeTable()
    await leader.put('a', '1')
    await follow()
    await caughtUp(leader, standby)
    const before = await standby.content()
    await standby.stop()
    const [hold] = await leader.store.upkeep.changes!.logHolds(OWN_CALL)
    await leader.store.upkeep.changes!.releaseLog(hold!.name, OWN_CALL)
    await leader.put('b', '2')
    await follow()
    await until(
      async () => (await standby.health()).troubles?.join().includes('this standby has stopped') === true,
    )
    expect(await standby.content()).toEqual(before)
    await expect(standby.put('c', '3')).rejects.toThrow('standby')
    await standby.stop()
    standby.empty()
    await follow()
    await caughtUp(leader, standby)
  })
})
