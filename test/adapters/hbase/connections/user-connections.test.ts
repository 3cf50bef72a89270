import { beforeEach, expect, test } from 'vitest'
import { UserConnections } from '../../../../adapters/hbase/connections/user-connections.ts'
import type { RpcConnection } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { ManualTime } from '../retry/manual-time.ts'

class FakeConnection implements RpcConnection {
  pending = 0
  closedBy: RpcError | undefined
  readonly #listeners: (() => void)[] = []

  call(): Promise<never> {
    return Promise.reject(new Error('not called'))
  }

  beforeSending(): void {
    throw new Error('not called')
  }

  onClose(listener: (reason: RpcError) => void): void {
    this.#listeners.push(() => listener(this.closedBy!))
  }

  close(): void {
    this.closedBy = new RpcError('CONNECTION_CLOSED', 'closed')
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

let time: ManualTime
let connections: UserConnections

beforeEach(() => {
  time = new ManualTime()
  connections = new UserConnections(time, 2)
})

function add(user: string): FakeConnection {
  const connection = new FakeConnection()
  connections.reserve()
  try {
    connections.keep(user, 'server', connection)
  } finally {
    connections.release()
  }
  return connection
}

test('the one that has been idle longest makes room', async () => {
  const [ann, bob] = [add('ann'), add('bob')]
  await time.advance(5_000)
  expect(connections.opened('ann', 'server')).toBe(ann)
  await time.advance(2_000)
  add('cem')
  expect([ann.closedBy, bob.closedBy?.code]).toEqual([undefined, 'CONNECTION_CLOSED'])
  expect(connections.opened('bob', 'server')).toBeUndefined()
  expect(connections.size).toBe(2)
})

test('one with calls under way, or handed out a moment ago, is not closed', async () => {
  const [ann] = [add('ann'), add('bob')]
  ann.pending = 1
  await time.advance(5_000)
  connections.opened('bob', 'server')
  expect(() => add('cem')).toThrow(/All 2 connections of users to the cluster are busy/)
  await time.advance(1_000)
  add('cem')
  expect([ann.closedBy, connections.size]).toEqual([undefined, 2])
})

test('ones that are being opened count', () => {
  connections.reserve()
  connections.reserve()
  expect(() => connections.reserve()).toThrow(/busy/)
  connections.release()
  connections.reserve()
})

test('a closed one is forgotten, with its user', () => {
  const ann = add('ann')
  ann.close()
  expect([connections.size, connections.opened('ann', 'server')]).toEqual([0, undefined])
  const again = add('ann')
  connections.close()
  expect([again.closedBy?.code, connections.size]).toEqual(['CONNECTION_CLOSED', 0])
})
