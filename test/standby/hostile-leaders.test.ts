/** Addresses that are no leader, and folders that are no standby's. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTidegate } from '../../src/library/start-tidegate.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { keptPort } from '../harness/kept-port.ts'
import { caughtUp, PairServer } from './pair.ts'

const servers: PairServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove()
})

function server(): PairServer {
  const made = new PairServer()
  servers.push(made)
  return made
}

test('a server without a log of its own is no leader', { timeout: 60_000 }, async () => {
  const memory = await startTidegate({ store: 'memory', rpc: await keptPort() })
  const standby = server()
  await expect(standby.start({ follow: `rpc:127.0.0.1:${memory.ports.rpc}` })).rejects.toThrow(
    'this server can neither be followed nor promoted: it is an HBase',
  )
  await memory.stop()
})

test('a server that sends bytes without meaning is no leader', { timeout: 60_000 }, async () => {
  const hostile = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.end(Buffer.alloc(4096, 0xff))
  })
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
  const { port } = hostile.address() as { readonly port: number }
  const standby = server()
  await expect(standby.start({ follow: `rpc:127.0.0.1:${port}` })).rejects.toThrow(
    `follow rpc:127.0.0.1:${port}: `,
  )
  expect(existsSync(join(standby.folder, 'manifest'))).toBe(false)
  hostile.close()
})

test('a standby is no leader, and neither is a server itself', { timeout: 60_000 }, async () => {
  const leader = await server().start()
  const standby = await server().start({ follow: `rpc:${leader.address}` })
  await expect(server().start({ follow: `rpc:${standby.address}` })).rejects.toThrow(
    `does not lead: follow ${leader.address}`,
  )
})

test('another store at the address of the leader stops a standby', { timeout: 60_000 }, async () => {
  const leader = await server().start()
  const standby = await server().start({ follow: `rpc:${leader.address}` })
  await standby.stop()
  await leader.stop()
  rmSync(leader.folder, { recursive: true, force: true })
  await leader.start()
  await standby.start({ follow: `rpc:${leader.address}` })
  for (;;) {
    const { troubles } = await standby.health()
    if (troubles?.join().includes('answers as another store') === true) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})

test('folders of other stores are not followed into, and a standby does not lead by itself', {
  timeout: 60_000,
}, async () => {
  const leader = await server().start()
  const other = await server().start()
  await other.stop()
  await expect(other.start({ follow: `rpc:${leader.address}` })).rejects.toThrow(
    'follow needs an empty folder',
  )
  const standby = await server().start({ follow: `rpc:${leader.address}` })
  await standby.stop()
  await expect(standby.start()).rejects.toThrow('is the store of a standby')
  writeFileSync(join(standby.folder, 'standby.json'), '{"format":1,"role":"leader"}')
  await expect(standby.start({ follow: `rpc:${leader.address}` })).rejects.toThrow(
    'does not say what this server was',
  )
})

test('a first copy that was cut goes on', { timeout: 60_000 }, async () => {
  const leader = await server().start()
  await leader.makeTable()
  for (let i = 0; i < 20; i++) await leader.put(`row${i}`, 'x'.repeat(1000))
  const standby = await server().start({ follow: `rpc:${leader.address}` })
  const hold = (await leader.store.upkeep.changes!.logHolds(OWN_CALL))[0]!
  await standby.stop()
  // As of a kill between the last file and the end: the notes of the copy are beside the folder still.
  const record = readFileSync(join(standby.folder, 'standby.json'), 'utf8')
  const work = `${standby.folder}.first-copy`
  mkdirSync(work)
  writeFileSync(join(work, 'standby.json'), record)
  rmSync(standby.folder, { recursive: true })
  await leader.put('later', 'y')
  await standby.start({ follow: `rpc:${leader.address}` })
  await caughtUp(leader, standby)
  const holds = await leader.store.upkeep.changes!.logHolds(OWN_CALL)
  expect(holds.map(({ name }) => name)).toEqual([hold.name])
})
