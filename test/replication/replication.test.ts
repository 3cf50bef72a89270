/** Senders of changes, over a log in memory and a peer that answers as each test says. */

import { afterEach, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { HBaseError } from '../../src/model/errors.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { change, FakeSender, SETTINGS, T, U, valuesOf } from './fake-sender.ts'

let running: FakeSender | undefined

afterEach(() => running?.replication.stop())

async function sender(settings: Partial<typeof SETTINGS> = {}): Promise<FakeSender> {
  running = new FakeSender(settings)
  await running.tables(T, U)
  return running
}

const UNREACHABLE = new HBaseError('UNAVAILABLE', 'nothing answers')

test('changes after the addition of the peer are sent in order, with this cluster among those that have them', async () => {
  const fake = await sender()
  fake.changes.add(change(T, ['f:before']))
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a', 'g:b']), change(U, ['f:c'], ['far']))
  await fake.until(() => fake.values.length === 3)
  expect(fake.values).toEqual(['a', 'b', 'c'])
  const own = await fake.store.clusterId()
  expect(fake.sent.map(({ clusterIds }) => clusterIds)).toEqual([[own], ['far', own]])
  expect(fake.sent.map(({ table, region, cellCount }) => [table, region, cellCount])).toEqual([
    ['t', 'abc', 2],
    ['u', 'abc', 1],
  ])
})

test('a change that the peer has had already, and families without a scope, are not sent', async () => {
  const fake = await sender()
  await fake.peers({ id: '1' })
  fake.changes.add(
    change(T, ['f:back'], ['peer-cluster']),
    change(T, ['local:x']),
    change(T, ['f:some', 'local:y']),
  )
  await fake.until(() => fake.values.length > 0)
  expect(fake.values).toEqual(['some'])
})

test('a peer that fails is asked again, after longer and longer pauses, and then gets everything in order', async () => {
  const fake = await sender()
  let failures = 0
  fake.ship = () => {
    if (++failures <= 7) throw UNREACHABLE
  }
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a']), change(T, ['f:b']))
  await fake.until(() => fake.values.length === 2)
  expect(fake.values).toEqual(['a', 'b'])
  expect(fake.pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  expect(fake.lines[0]).toBe('replication to peer 1 (h:1:/x) waits, and tries again: nothing answers')
})

test('a failing peer is in trouble after a minute, and holds up no other peer', async () => {
  const fake = await sender()
  let isAway = true
  fake.ship = (changes) => {
    if (isAway && changes.some(({ table }) => table === T)) throw new HBaseError('TABLE_NOT_FOUND', "'t'")
  }
  const tables = [{ tableName: { namespace: Buffer.from('default'), qualifier: Buffer.from('u') } }]
  await fake.peers({ id: '1' }, { id: '2', replicateAll: false, tableCfs: tables })
  fake.changes.add(change(T, ['f:t']), change(U, ['f:u']))
  await fake.until(() => fake.values.includes('u') && fake.replication.troubles().length > 0)
  expect(fake.values).toEqual(['u'])
  expect(fake.replication.troubles()[0]).toMatch(
    /^replication to peer 1 waits since .*: the peer lacks a table: 't'\. All tables wait for it: make it there/,
  )
  isAway = false
  await fake.until(() => fake.values.length === 3)
  expect(fake.values).toEqual(['u', 't', 'u'])
  await fake.until(() => fake.replication.troubles().length === 0)
})

test('the hold moves to what the peer has, and a later sender goes on from there', async () => {
  const fake = await sender()
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => fake.values.length === 1)
  await fake.peers({ id: '1', isDisabled: true })
  expect(fake.changes.holds.get('replication-peer.1')).toMatchObject({ position: 1, keepBytesMax: 1_000_000 })
  fake.changes.add(change(T, ['f:b']))
  await fake.peers({ id: '1' })
  await fake.until(() => fake.values.length === 2)
  expect(fake.values).toEqual(['a', 'b'])
})

test('a peer that is removed lets go of the log at the next start', async () => {
  const fake = await sender()
  await fake.peers({ id: '1' }, { id: '2' })
  await fake.changes.holdLog('feed.x', undefined, 1)
  await fake.peers({ id: '2' })
  await fake.replication.start()
  expect([...fake.changes.holds.keys()]).toEqual(['replication-peer.2', 'feed.x'])
})

test('where the log is not kept any more, the peer has stopped, and says so', async () => {
  const fake = await sender()
  fake.ship = () => {
    throw UNREACHABLE
  }
  await fake.peers({ id: '1' })
  fake.changes.lose('replication-peer.1', 'it was 12 bytes long')
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => fake.replication.troubles().length > 0 || fake.pauses.length > 100)
  const sentence =
    'replication to peer 1 has stopped: it was 12 bytes long. Some changes were not sent: remove the peer, add it again, and copy its tables anew'
  expect(fake.replication.troubles()).toEqual([sentence])
  expect(fake.lines).toContain(sentence)
  const stopped = fake.replication.metrics().find(({ name }) => name === 'tidegate_replication_stopped')
  expect([...stopped!.read()]).toEqual([{ labels: { peer: '1' }, value: 1 }])
})

test('requests have the most changes that the setting allows', async () => {
  const fake = await sender({ requestChangesMax: 2 })
  await fake.peers({ id: '1', isDisabled: true })
  fake.changes.add(...['a', 'b', 'c', 'd', 'e'].map((value) => change(T, [`f:${value}`])))
  await fake.peers({ id: '1' })
  await fake.until(() => fake.values.length === 5)
  expect(fake.taken).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

test('a peer gets no more bytes a second than its bandwidth', async () => {
  const fake = await sender({ requestBytesMax: 1 })
  await fake.peers({ id: '1', isDisabled: true })
  fake.changes.add(...['a', 'b', 'c'].map((value) => change(T, [`f:${value}`])))
  await fake.peers({ id: '1', bandwidth: 10n })
  await fake.until(() => fake.values.length === 3)
  const { byteLength } = fake.changes.made[0]!.cells
  expect(fake.pauses).toEqual([byteLength * 100, byteLength * 100])
})

test('changes of a table that both lack are left out only where the setting says so', async () => {
  const fake = await sender({ dropsDeletedTables: true })
  let isMissing = false
  fake.ship = (changes) => {
    if (isMissing && changes.some(({ table }) => table === T)) throw new HBaseError('TABLE_NOT_FOUND', 't')
  }
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:first']))
  await fake.until(() => fake.values.length === 1)
  isMissing = true
  fake.changes.add(change(T, ['f:lost']), change(U, ['f:kept']))
  await fake.until(() => fake.pauses.length > 1)
  expect(fake.values).toEqual(['first'])
  await fake.store.catalog.disableTable(T, OWN_CALL)
  await fake.store.catalog.deleteTable(T, OWN_CALL)
  await fake.until(() => fake.values.length === 2)
  expect(fake.values).toEqual(['first', 'kept'])
})

test('changes of a table that was deleted here still go to a peer that has it', async () => {
  const fake = await sender()
  let isAway = false
  fake.ship = () => {
    if (isAway) throw UNREACHABLE
  }
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => fake.values.length === 1)
  isAway = true
  fake.changes.add(change(T, ['f:b']))
  await fake.until(() => fake.pauses.length > 1)
  await fake.store.catalog.disableTable(T, OWN_CALL)
  await fake.store.catalog.deleteTable(T, OWN_CALL)
  isAway = false
  await fake.until(() => fake.values.length === 2)
  expect(fake.values).toEqual(['a', 'b'])
})

test('cells of a family that both lack are left out only where the setting says so', async () => {
  const fake = await sender({ dropsDeletedFamilies: true })
  let isMissing = false
  fake.ship = (changes) => {
    const hasG = changes.some(({ cells }) => valuesOf(cells).some((value) => value.startsWith('g')))
    if (isMissing && hasG) throw new HBaseError('NO_SUCH_COLUMN_FAMILY', 'g')
  }
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['g:g1']))
  await fake.until(() => fake.values.length === 1)
  isMissing = true
  fake.changes.add(change(T, ['f:f2', 'g:g2']))
  await fake.until(() => fake.pauses.length > 1)
  const families = [familyDescriptor('f', [['REPLICATION_SCOPE', '1']])]
  await fake.store.catalog.modifyTable(tableDescriptor(T, families), OWN_CALL)
  await fake.until(() => fake.values.length === 2)
  expect(fake.values).toEqual(['g1', 'f2'])
})

test('a peer that is this cluster itself gets nothing', async () => {
  const fake = await sender()
  fake.peerId = await fake.store.clusterId()
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => fake.pauses.length > 2)
  expect(fake.values).toEqual([])
  expect(fake.lines[0]).toContain('the peer is this cluster itself')
})

test('figures say how far each peer is', async () => {
  const fake = await sender()
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a', 'g:b']))
  await fake.until(() => fake.values.length === 2)
  await fake.replication.leave('1')
  const figures = new Map(
    fake.replication
      .metrics()
      .map(({ name, read }) => [name.replace('tidegate_replication_', ''), [...read()][0]!.value]),
  )
  expect(Object.fromEntries(figures)).toMatchObject({
    lag_bytes: 0,
    lag_seconds: 0,
    stopped: 0,
    shipped_changes_total: 1,
    shipped_cells_total: 2,
    failures_total: 0,
  })
})

function lagBytes(fake: FakeSender): number {
  const metric = fake.replication.metrics().find(({ name }) => name === 'tidegate_replication_lag_bytes')
  return [...metric!.read()][0]!.value
}

test('the lag of a peer that is away grows with the log', async () => {
  const fake = await sender()
  fake.ship = () => {
    throw UNREACHABLE
  }
  await fake.peers({ id: '1' })
  const [first] = [change(T, ['f:a'])]
  fake.changes.add(first)
  await fake.until(() => fake.pauses.length > 0)
  fake.changes.add(first, first, first)
  await fake.replication.look()
  expect(lagBytes(fake)).toBe(4 * first.cells.byteLength)
})

test('the lag of a peer that does not answer grows with the log', async () => {
  const fake = await sender()
  let answer: (() => void) | undefined
  fake.ship = () => new Promise((resolve) => (answer = resolve))
  await fake.peers({ id: '1' })
  const first = change(T, ['f:a'])
  fake.changes.add(first)
  await fake.until(() => answer !== undefined)
  fake.changes.add(first, first, first)
  await fake.replication.look()
  expect(lagBytes(fake)).toBe(first.cells.byteLength)
  fake.time += 10_000
  await fake.replication.look()
  expect(lagBytes(fake)).toBe(4 * first.cells.byteLength)
  fake.ship = () => undefined
  answer!()
  await fake.until(() => fake.values.length === 4)
})

test('many peers that are behind hold no more together than a few do', async () => {
  const fake = await sender({ requestBytesMax: 64 * 1024 * 1024 })
  const ids = Array.from({ length: 20 }, (_, number) => ({ id: `${number}` }))
  await fake.peers(ids[0]!)
  await fake.until(() => fake.changes.wanted.length === 1)
  expect(fake.changes.wanted[0]).toBe(16 * 1024 * 1024)
  await fake.peers(...ids)
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => fake.values.length === 20)
  await fake.until(() => fake.changes.wanted.length >= 40)
  const last = fake.changes.wanted.slice(-20)
  expect(last.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(64 * 1024 * 1024)
})

test('a failure that is no answer of a peer ends no sender: it shows, is tried again, and holds up no stop', async () => {
  const fake = await sender()
  let isBroken = true
  fake.ship = () => {
    if (isBroken) throw new RangeError('Port should be < 65536')
  }
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => fake.pauses.length > 0)
  expect(fake.lines).toEqual([
    'replication to peer 1 (h:1:/x) waits, and tries again: a bug in Tidegate: Port should be < 65536',
  ])
  isBroken = false
  await fake.until(() => fake.values.length === 1)
  isBroken = true
  fake.changes.add(change(T, ['f:b']))
  const before = fake.pauses.length
  await fake.until(() => fake.pauses.length > before)
  await fake.replication.stop()
})

test('a peer whose address cannot be read shows that, and can be removed', async () => {
  const fake = await sender()
  fake.open = () => {
    throw new HBaseError('DO_NOT_RETRY', 'Invalid cluster key: h')
  }
  await fake.peers({ id: '1' })
  await fake.until(() => fake.lines.length > 0)
  expect(fake.lines[0]).toContain('Invalid cluster key: h')
  fake.time += 60_000
  expect(fake.replication.troubles()[0]).toContain('Invalid cluster key: h')
  await fake.peers()
  expect(fake.replication.troubles()).toEqual([])
})
