/** Cells that come into a replicated table by files: loads are sent, snapshots are named as differences. */

import { afterEach, expect, test } from 'vitest'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { Server, T } from './two-servers.ts'

const servers: Server[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.remove()))
})

async function started(count: number): Promise<Server[]> {
  const all = await Promise.all(Array.from({ length: count }, () => new Server().start()))
  servers.push(...all)
  for (const server of all) await server.makeTable()
  return all
}

test('a load is sent to the peer, from there to the next, and not back', async () => {
  const [a, b] = await started(2)
  await a!.follow('b', b!)
  await b!.follow('a', a!)
  const rows = Array.from({ length: 3000 }, (_, index) => `r${String(index).padStart(5, '0')}`)
  await a!.load(rows, 'loaded')
  await a!.put('z', 'last')
  await b!.hasValue('last')
  const cells = await a!.cells()
  expect(cells).toHaveLength(3001)
  expect(await b!.cells()).toEqual(cells)
  await b!.put('z', 'back')
  await a!.hasValue('back')
  // The load is one change, or a few, of A; of B only its own put is sent.
  expect(await b!.page('/metrics')).toMatch(/shipped_changes_total\{peer="."\} 1\n/)
  expect(await a!.page('/health')).not.toContain('lacks cells')
})

test('a table that came of a snapshot is named until it or the peer is gone, also after a restart', async () => {
  const [a, b] = await started(2)
  await a!.follow('1', b!)
  await a!.put('r', 'v')
  const clone = parseTableName('cloned')
  const { snapshots } = a!.store.upkeep
  await snapshots!.createSnapshot('s', T, 'FLUSH', OWN_CALL)
  await snapshots!.cloneSnapshot('s', clone, OWN_CALL)
  const named = /peer 1 lacks cells of the table cloned/
  expect(await a!.page('/health')).toMatch(named)
  await a!.stop()
  await a!.start()
  expect(await a!.page('/health')).toMatch(named)
  await a!.store.catalog.disableTable(clone, OWN_CALL)
  await a!.store.catalog.deleteTable(clone, OWN_CALL)
  expect(await a!.page('/health')).not.toMatch(named)
})
