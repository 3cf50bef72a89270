/** A peer that is away for longer than the log is kept. */

import { afterEach, expect, test } from 'vitest'
import { PEERS_TABLE } from '../../src/gateway/policies/peers/peer-rows.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { Server, T } from './two-servers.ts'

const servers: Server[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.remove()))
})

test('where more of the log waits than is kept, the peer has stopped, and goes on once it is added again', async () => {
  const a = await new Server({ replicationKeep: '100k' }).start()
  const b = await new Server().start()
  servers.push(a, b)
  await a.makeTable()
  await b.makeTable()
  await a.follow('1', b)
  await a.put('first', 'one')
  await b.hasValue('one')
  await b.stop()
  let health = ''
  for (let i = 0; !health.includes('has stopped'); i++) {
    await a.put(`row${i}`, 'x'.repeat(8_000_000))
    // The store lets go of whole logs alone, of 64 MB, and of none that it needs itself.
    for (const table of [T, PEERS_TABLE]) await a.store.upkeep.flushes!.flushTable(table, OWN_CALL)
    health = await a.page('/health')
  }
  expect(health).toContain('remove the peer, add it again, and copy its tables anew')
  expect(health).toContain('degraded')
  expect(await a.page('/metrics')).toMatch(/replication_stopped\{peer="1"\} 1\n/)
  await b.start()
  await a.store.upkeep.peers!.changePeer('1', { kind: 'REMOVE' }, OWN_CALL)
  await a.follow('1', b)
  await a.put('last', 'two')
  await b.hasValue('two')
  expect(await a.page('/health')).not.toContain('has stopped')
})
