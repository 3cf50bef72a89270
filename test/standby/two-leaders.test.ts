/** Promotions that are cut, repeated or in vain: one server leads in the end, and its standbys have what it has. */

import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { OWN_CALL } from '../../src/store/call.ts'
import { caughtUp, PairServer, T, until } from './pair.ts'

const servers: PairServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove()
})

function server(): PairServer {
  const made = new PairServer()
  servers.push(made)
  return made
}
const wait = { keepsIdentity: false, waitMs: 20_000 }
const now = { keepsIdentity: false, waitMs: 0 }

test('changes from before a table became read-only follow', { timeout: 20_000 }, async () => {
  const leader = await server().start()
  await leader.makeTable()
  const follow = `rpc:${leader.address}` as const
  const standby = await server().start({ follow })
  await standby.stop()
  await leader.put('r', 'v')
  const descriptor = await leader.store.catalog.table(T, OWN_CALL)
  const attributes = new Map([...descriptor.attributes, ['READONLY', 'true']])
  await leader.store.catalog.modifyTable({ ...descriptor, attributes }, OWN_CALL)
  await standby.start({ follow })
  await caughtUp(leader, standby)
})

test('one of two standbys is promoted where an operator promotes both and waits', {
  timeout: 60_000,
}, async () => {
  const leader = await server().start()
  await leader.makeTable()
  const follow = `rpc:${leader.address}` as const
  const one = await server().start({ follow })
  const two = await server().start({ follow })
  const both = await Promise.allSettled([
    one.standby.promote(wait, OWN_CALL),
    two.standby.promote(wait, OWN_CALL),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled').length).toBe(1)
})

test('the second of two standbys that were promoted stops to lead', { timeout: 30_000 }, async () => {
  const leader = await server().start()
  await leader.makeTable()
  const follow = `rpc:${leader.address}` as const
  const one = await server().start({ follow })
  const two = await server().start({ follow })
  await Promise.allSettled([one.standby.promote(now, OWN_CALL), two.standby.promote(now, OWN_CALL)])
  await until(
    async () => [(await one.state()).role, (await two.state()).role].sort().join() === 'leader,retired',
  )
})

test('a promoted standby steps down for a leader that is started to lead', { timeout: 30_000 }, async () => {
  const leader = await server().start()
  await leader.makeTable()
  const standby = await server().start({ follow: `rpc:${leader.address}` })
  await standby.standby.promote(now, OWN_CALL)
  await until(async () => (await leader.state()).role === 'retired')
  await leader.stop()
  await leader.start({ lead: true })
  expect((await leader.state()).role).toBe('leader')
  await until(async () => (await standby.state()).role === 'retired')
})

test('a leader that is started to lead does so though it learns then that its standby was promoted', {
  timeout: 30_000,
}, async () => {
  const leader = await server().start()
  await leader.makeTable()
  const standby = await server().start({ follow: `rpc:${leader.address}` })
  await leader.put('r', 'v')
  await caughtUp(leader, standby)
  await leader.stop()
  await standby.standby.promote(now, OWN_CALL)
  await leader.start({ lead: true })
  expect((await leader.state()).role).toBe('leader')
  await until(async () => (await standby.state()).role === 'retired')
  expect((await leader.state()).role).toBe('leader')
})

test('a server that a standby has asked by mistake does not retire for it', { timeout: 30_000 }, async () => {
  const leader = await server().start()
  const other = await server().start()
  const standby = await server().start({ follow: `rpc:${leader.address}` })
  await standby.stop()
  await standby.start({ follow: `rpc:${other.address}` })
  await until(async () => (await standby.health()).status === 'degraded')
  await standby.standby.promote(now, OWN_CALL)
  await other.stop()
  await other.start()
  expect((await other.state()).role).toBe('leader')
})

test('a leader leads again where its standby ended within a promotion', { timeout: 30_000 }, async () => {
  const leader = await server().start()
  await leader.makeTable()
  const follow = `rpc:${leader.address}` as const
  const standby = await server().start({ follow })
  await leader.put('r', 'v')
  await caughtUp(leader, standby)
  await leader.standby.stepDown(2, standby.address, OWN_CALL)
  await standby.stop()
  await standby.start({ follow })
  await until(async () => (await leader.state()).role === 'leader')
  await caughtUp(leader, standby)
})

test('a promotion that the disk refuses changes nothing', { timeout: 30_000 }, async () => {
  const leader = await server().start()
  await leader.makeTable()
  await leader.put('a', '1')
  const standby = await server().start({ follow: `rpc:${leader.address}` })
  await caughtUp(leader, standby)
  const inTheWay = join(standby.folder, 'standby.json.new')
  await until(async () => mkdirSync(inTheWay) === undefined)
  await expect(standby.standby.promote(now, OWN_CALL)).rejects.toThrow('nothing was promoted')
  expect((await standby.state()).role).toBe('standby')
  await leader.put('b', '2')
  rmdirSync(inTheWay)
  await caughtUp(leader, standby)
  expect((await standby.standby.promote(wait, OWN_CALL)).isWhole).toBe(true)
  await standby.put('c', '3')
})

test('a leader steps down though its disk refuses to note it', { timeout: 30_000 }, async () => {
  const leader = await server().start()
  await leader.makeTable()
  await leader.put('a', '1')
  const standby = await server().start({ follow: `rpc:${leader.address}` })
  await caughtUp(leader, standby)
  const inTheWay = join(leader.folder, 'standby.json.new')
  await until(async () => mkdirSync(inTheWay) === undefined)
  expect((await standby.standby.promote(wait, OWN_CALL)).isWhole).toBe(true)
  await expect(leader.put('b', '2')).rejects.toThrow('was promoted in its place')
})

test('a standby notices that its leader does not lead any more', { timeout: 30_000 }, async () => {
  const leader = await server().start()
  await leader.makeTable()
  const follow = `rpc:${leader.address}` as const
  const one = await server().start({ follow })
  const other = await server().start({ follow })
  await leader.put('a', '1')
  await caughtUp(leader, one)
  await caughtUp(leader, other)
  expect((await one.standby.promote(wait, OWN_CALL)).isWhole).toBe(true)
  await until(async () => Number((await other.health()).standby?.['lagSeconds']) > 2)
})

test('a server says that it leads once it takes changes, and not before', { timeout: 30_000 }, async () => {
  const leader = await server().start()
  await leader.makeTable()
  await leader.put('r', 'v')
  await leader.standby.stepDown(2, '127.0.0.1:1', OWN_CALL)
  const led = leader.standby.takeBack(2, OWN_CALL)
  // The server reads these while its disk has no record yet of who leads.
  const pairs = Array.from({ length: 20 }, async (_, n) => {
    const role = leader.state().then((state) => state.role)
    const isTaken = leader.put(`r${n}`, 'v').then(
      () => true,
      () => false,
    )
    return [await role, await isTaken]
  })
  const answers = await Promise.all(pairs)
  expect(answers.filter(([role, isTaken]) => role === 'leader' && isTaken === false)).toEqual([])
  await led
  expect((await leader.state()).role).toBe('leader')
  await leader.put('s', 'v')
})
