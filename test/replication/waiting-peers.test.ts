/** Peers that get nothing: how that shows in metrics, health and `status 'replication'`. */

import { fromBinary } from '@bufbuild/protobuf'
import { afterEach, expect, test } from 'vitest'
import { HBaseError } from '../../src/model/errors.ts'
import {
  type ReplicationLoadSource,
  ReplicationLoadSourceSchema,
} from '../../src/wire/rpc/gen/cluster-status_pb.ts'
import { change, FakeSender, T, U } from './fake-sender.ts'

let running: FakeSender | undefined

afterEach(() => running?.replication.stop())

async function sender(): Promise<FakeSender> {
  running = new FakeSender()
  await running.tables(T, U)
  running.changes.madeAt = running.time
  return running
}

function metric(fake: FakeSender, name: string): number {
  const found = fake.replication.metrics().find((each) => each.name === `tidegate_replication_${name}`)
  return [...found!.read()][0]!.value
}

function load(fake: FakeSender): ReplicationLoadSource {
  return fromBinary(ReplicationLoadSourceSchema, fake.replication.sourceLoads()[0]!)
}

function refuse(code: 'UNAVAILABLE' | 'TABLE_NOT_FOUND', message: string): () => never {
  return () => {
    throw new HBaseError(code, message)
  }
}

test('the lag of a disabled peer grows with the log and with time', async () => {
  const fake = await sender()
  await fake.peers({ id: '1' })
  await fake.peers({ id: '1', isDisabled: true })
  const first = change(T, ['f:a'])
  fake.changes.add(first, first)
  fake.time += 90_000
  await fake.replication.look()
  expect(metric(fake, 'lag_bytes')).toBe(2 * first.cells.byteLength)
  expect(metric(fake, 'lag_seconds')).toBe(90)
  await fake.peers({ id: '1' })
  await fake.until(() => metric(fake, 'lag_bytes') === 0)
  expect(metric(fake, 'lag_seconds')).toBe(0)
})

test('the lag of a stopped peer stays, grows with time, and the log names the stop once', async () => {
  const fake = await sender()
  fake.ship = refuse('UNAVAILABLE', 'nothing answers')
  await fake.peers({ id: '1' })
  const first = change(T, ['f:a'])
  fake.changes.add(first)
  await fake.until(() => fake.pauses.length > 0)
  await fake.replication.look()
  fake.changes.lose('replication-peer.1', 'it was 12 bytes long')
  await fake.until(() => metric(fake, 'stopped') === 1)
  const before = metric(fake, 'lag_seconds')
  fake.time += 90_000
  await fake.replication.look()
  await fake.peers({ id: '1', bandwidth: 10n })
  await fake.peers({ id: '1', isDisabled: true })
  await fake.replication.look()
  expect(metric(fake, 'lag_bytes')).toBe(first.cells.byteLength)
  expect(metric(fake, 'lag_seconds')).toBeGreaterThanOrEqual(before + 90)
  expect(fake.lines.filter((line) => line.includes('has stopped'))).toHaveLength(1)
  expect(load(fake).running).toBe(false)
})

test('a disabled peer whose log is let go of has stopped, and the log of the server names that', async () => {
  const fake = await sender()
  await fake.peers({ id: '1', isDisabled: true })
  fake.changes.add(change(T, ['f:a']))
  fake.changes.lose('replication-peer.1', 'it was 12 bytes long')
  await fake.replication.look()
  await fake.replication.look()
  expect(fake.lines).toEqual([expect.stringContaining('replication to peer 1 has stopped: it was 12 bytes')])
})

test('health names the present cause, and since when it lasts; reasons of a peer that is away are one cause', async () => {
  const fake = await sender()
  const reasons = ['connection refused', 'the session has ended', 'connection refused']
  let attempts = 0
  fake.ship = () => refuse('UNAVAILABLE', reasons[attempts++ % reasons.length]!)()
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => attempts > 8)
  expect(fake.lines).toHaveLength(1)
  fake.ship = refuse('TABLE_NOT_FOUND', "'t'")
  await fake.until(() => fake.lines.length > 1)
  expect(fake.lines[1]).toContain("the peer lacks a table: 't'. All tables wait for it: make it there")
  const [, since] = /waits since (\S+): the peer lacks/.exec(fake.replication.troubles()[0]!)!
  expect(Date.parse(since!)).toBeGreaterThan(1_000_000 + 60_000)
})

test('a trouble that goes on after a restart of the source is named at once', async () => {
  const fake = await sender()
  fake.ship = refuse('UNAVAILABLE', 'nothing answers')
  fake.changes.madeAt = fake.time - 61_000
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => fake.lines.length > 0)
  await fake.replication.look()
  expect(fake.replication.troubles()).toHaveLength(1)
})

test('a peer that is disabled is no trouble', async () => {
  const fake = await sender()
  fake.ship = refuse('UNAVAILABLE', 'nothing answers')
  await fake.peers({ id: '1' })
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => fake.replication.troubles().length > 0)
  await fake.peers({ id: '1', isDisabled: true })
  expect(fake.replication.troubles()).toEqual([])
})

test('each change that the peer gets counts once as read, also where it is sent again', async () => {
  const fake = await sender()
  let attempts = 0
  fake.ship = () => {
    if (attempts++ % 3 !== 2) refuse('UNAVAILABLE', 'nothing answers')()
  }
  fake.open = () => undefined
  await fake.peers({ id: '1' })
  fake.changes.add(...['a', 'b', 'c'].map((value) => change(T, [`f:${value}`])), change(T, ['local:x']))
  await fake.until(() => fake.values.length === 3)
  fake.changes.add(change(T, ['f:d']))
  await fake.until(() => fake.values.length === 4 && metric(fake, 'lag_bytes') === 0)
  expect(load(fake)).toMatchObject({ editsRead: 4n, oPsShipped: 4n })
})

test('the next change to send is the last one sent where all is sent, as in HBase', async () => {
  const fake = await sender()
  await fake.peers({ id: '1' })
  expect(load(fake)).toMatchObject({ timeStampOfNextToReplicate: 0n, editsSinceRestart: false })
  fake.changes.add(change(T, ['f:a']))
  await fake.until(() => fake.values.length === 1 && metric(fake, 'lag_bytes') === 0)
  const { timeStampOfNextToReplicate, timeStampOfLastShippedOp, editsSinceRestart, replicationLag } =
    load(fake)
  expect(timeStampOfNextToReplicate).toBe(timeStampOfLastShippedOp)
  expect(timeStampOfNextToReplicate).toBeGreaterThan(0n)
  expect([editsSinceRestart, replicationLag]).toEqual([true, 0n])
})
