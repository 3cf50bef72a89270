/** Tidegate servers that replicate to each other, from the shell's commands to the cells in the tables. */

import { afterEach, expect, test } from 'vitest'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { bytes, Server } from './two-servers.ts'

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

test('every kind of change arrives with its time and its tags', async () => {
  const [a, b] = await started(2)
  await a!.put('early', 'not sent')
  await a!.follow('1', b!)
  await a!.put('r1', 'v1')
  await a!.put('r1', 'least', 1n)
  await a!.put('r1', 'greatest', 0x7ffffffffffffffen)
  await a!.put('r1', 'zero', 0n)
  const [row, family, qualifier] = ['r2', 'f', 'q'].map(bytes) as [Buffer, Buffer, Buffer]
  await a!.mutate((batch) => batch.put(row, family, qualifier, bytes('brief')), { ttlMs: 1_000_000 })
  await a!.mutate((batch) => batch.deleteColumn(row, family, qualifier, 3n))
  await a!.mutate((batch) => batch.deleteRow(bytes('r3'), 7n))
  await a!.mutate((batch) => batch.deleteFamily(bytes('r4'), family, 7n))
  await a!.put('last', 'z')
  await b!.hasValue('z')
  const sent = (await a!.cells()).filter((cell) => !cell.startsWith('early'))
  expect(sent.length).toBeGreaterThan(7)
  expect(await b!.cells()).toEqual(sent)
})

test('two servers that replicate to each other come to the same cells, and no change goes round', async () => {
  const [a, b] = await started(2)
  await a!.follow('b', b!)
  await b!.follow('a', a!)
  for (let i = 0; i < 20; i++) {
    await a!.put(`a${i}`, `a${i}`)
    await b!.put(`b${i}`, `b${i}`)
  }
  await Promise.all([a!.hasValue('b19'), b!.hasValue('a19')])
  const cells = await a!.cells()
  expect(cells).toHaveLength(40)
  await b!.has(cells)
  // What came from the other is read, and sent to nobody.
  for (const server of [a!, b!])
    expect(await server.page('/metrics')).toMatch(/shipped_changes_total\{peer="."\} 20\n/)
})

test('in a ring of three each change goes round once', async () => {
  const [a, b, c] = await started(3)
  await a!.follow('1', b!)
  await b!.follow('1', c!)
  await c!.follow('1', a!)
  await a!.put('a', 'from a')
  await b!.put('b', 'from b')
  await c!.put('c', 'from c')
  for (const server of [a!, b!, c!])
    for (const value of ['from a', 'from b', 'from c']) await server.hasValue(value)
  for (const server of [a!, b!, c!]) expect(await server.cells()).toHaveLength(3)
})

test('changes wait for a peer that is away, over restarts of either side', async () => {
  const [a, b] = await started(2)
  await a!.follow('1', b!)
  await a!.put('1', 'one')
  await b!.hasValue('one')
  await b!.stop()
  await a!.put('2', 'two')
  await a!.stop()
  await a!.start()
  await a!.put('3', 'three')
  await b!.start()
  await b!.hasValue('three')
  expect(await b!.cells()).toEqual(await a!.cells())
})

test('a table that the peer lacks blocks that peer alone, until it is there', async () => {
  const [a, b, c] = await started(3)
  const other = parseTableName('other')
  await a!.makeTable(other)
  await c!.makeTable(other)
  await a!.follow('b', b!)
  await a!.follow('c', c!)
  await a!.put('x', 'x', undefined, other)
  await a!.put('y', 'y')
  await c!.hasValue('y')
  expect(await b!.cells()).toEqual([])
  await b!.makeTable(other)
  await b!.hasValue('y')
  await b!.hasValue('x', other)
})

test('a server stops within a second while its peer is away', async () => {
  const [a, b] = await started(2)
  await a!.follow('1', b!)
  await b!.stop()
  await a!.put('1', 'one')
  const begun = performance.now()
  await a!.stop()
  expect(performance.now() - begun).toBeLessThan(1000)
})

test('a peer that is disabled gets nothing until it is enabled, and one that is removed gets nothing more', async () => {
  const [a, b] = await started(2)
  await a!.follow('1', b!)
  const { peers } = a!.store.upkeep
  await peers!.changePeer('1', { kind: 'DISABLE' }, OWN_CALL)
  await a!.put('1', 'one')
  expect(await b!.cells()).toEqual([])
  await a!.lags('1')
  await peers!.changePeer('1', { kind: 'ENABLE' }, OWN_CALL)
  await b!.hasValue('one')
  await peers!.changePeer('1', { kind: 'REMOVE' }, OWN_CALL)
  await a!.put('2', 'two')
  await a!.follow('1', b!)
  await a!.put('3', 'three')
  await b!.hasValue('three')
  expect((await b!.cells()).map((cell) => cell.slice(0, 1))).toEqual(['1', '3'])
})
