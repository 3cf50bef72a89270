import { beforeEach, describe, expect, test } from 'vitest'
import { ServerConnections } from '../../../../adapters/hbase/connections/server-connections.ts'
import type { RpcConnection, RpcConnectionOptions } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import { ManualTime } from '../retry/manual-time.ts'

const A = { host: 'a', port: 1 }

function callOf(user: string): Call {
  return { ...OWN_CALL, isOwn: false, principal: { user } }
}

class FakeConnection implements RpcConnection {
  readonly pending = 0
  closedBy: RpcError | undefined
  readonly #listeners: ((reason: RpcError) => void)[] = []

  call(): Promise<never> {
    return Promise.reject(new Error('not called'))
  }

  beforeSending(work: () => void): void {
    setImmediate(work)
  }

  onClose(listener: (reason: RpcError) => void): void {
    this.#listeners.push(listener)
  }

  close(): void {
    this.closedBy = new RpcError('CONNECTION_CLOSED', 'closed')
    for (const listener of this.#listeners) listener(this.closedBy)
  }
}

let time: ManualTime
let asked: RpcConnectionOptions[]
let connections: ServerConnections
let outcome: () => Promise<RpcConnection>

beforeEach(() => {
  time = new ManualTime()
  asked = []
  outcome = () => Promise.resolve(new FakeConnection())
  connections = new ServerConnections({
    time,
    options: { user: 'u' },
    failedServerMs: 2_000,
    connect: (options) => {
      asked.push(options)
      return outcome()
    },
  })
})

const deadline = (): number => time.now() + 5_000

describe('connections to servers', () => {
  test('are one for each service of each server', async () => {
    const [first, second, admin, other] = await Promise.all([
      connections.get(A, 'ClientService', deadline(), OWN_CALL),
      connections.get(A, 'ClientService', deadline(), OWN_CALL),
      connections.get(A, 'AdminService', deadline(), OWN_CALL),
      connections.get({ host: 'a', port: 2 }, 'ClientService', deadline(), OWN_CALL),
    ])
    expect(second).toBe(first)
    expect(new Set([first, admin, other]).size).toBe(3)
    expect(asked).toMatchObject([
      { ...A, service: 'ClientService', user: 'u' },
      { ...A, service: 'AdminService' },
      { port: 2 },
    ])
    expect(connections.opened(A, 'ClientService', OWN_CALL)).toBe(first)
    expect(connections.opened(A, 'MasterService', OWN_CALL)).toBeUndefined()
  })

  test('are others for calls whose cells have tags, of each user', async () => {
    const passed = new ServerConnections({
      time,
      options: { user: 'u' },
      passing: { as: 'caller', connectionsMax: 10 },
      connect: (options) => {
        asked.push(options)
        return outcome()
      },
    })
    for (const user of ['ann', undefined]) {
      const plain = user === undefined ? OWN_CALL : callOf(user)
      const tagged = { ...plain, withTags: true }
      const first = await passed.get(A, 'ClientService', deadline(), plain)
      expect(passed.opened(A, 'ClientService', tagged)).toBeUndefined()
      const second = await passed.get(A, 'ClientService', deadline(), tagged)
      expect(second).not.toBe(first)
      expect(passed.opened(A, 'ClientService', plain)).toBe(first)
      expect(passed.opened(A, 'ClientService', tagged)).toBe(second)
      const admin = await passed.get(A, 'AdminService', deadline(), tagged)
      expect(passed.opened(A, 'AdminService', plain)).toBe(admin)
    }
    const ofOne = [undefined, true, undefined]
    expect(asked.map(({ withTags }) => withTags)).toEqual([...ofOne, ...ofOne])
    passed.close()
  })

  test('are opened anew when they have closed', async () => {
    const first = await connections.get(A, 'ClientService', deadline(), OWN_CALL)
    first.close()
    expect(connections.opened(A, 'ClientService', OWN_CALL)).toBeUndefined()
    const second = await connections.get(A, 'ClientService', deadline(), OWN_CALL)
    expect(second).not.toBe(first)
    expect(connections.opened(A, 'ClientService', OWN_CALL)).toBe(second)
  })

  test.each(['USER_REFUSED', 'UNTRUSTED', 'CONNECTION_CLOSED'] as const)(
    'are tried at once after one that was %s: the server is there for other users',
    async (code) => {
      const passed = new ServerConnections({
        time,
        options: { user: 'u' },
        passing: { as: 'proxy', connectionsMax: 10 },
        connect: (options) => {
          asked.push(options)
          if (options.user === 'ann') return Promise.reject(new RpcError(code, 'not her'))
          return Promise.resolve(new FakeConnection())
        },
      })
      for (let attempt = 0; attempt < 2; attempt++)
        await expect(passed.get(A, 'ClientService', deadline(), callOf('ann'))).rejects.toMatchObject({
          code,
          message: 'not her',
        })
      await passed.get(A, 'ClientService', deadline(), callOf('bob'))
      expect(asked).toMatchObject([
        { user: 'ann', realUser: 'u' },
        { user: 'ann', realUser: 'u' },
        { user: 'bob', realUser: 'u' },
      ])
      passed.close()
    },
  )

  test('fail at once for a moment after one has failed', async () => {
    outcome = () => Promise.reject(new RpcError('CONNECT_FAILED', 'refused'))
    await expect(connections.get(A, 'ClientService', deadline(), OWN_CALL)).rejects.toThrow('refused')
    await expect(connections.get(A, 'AdminService', deadline(), OWN_CALL)).rejects.toMatchObject({
      code: 'CONNECT_FAILED',
      message: 'refused (a moment ago)',
    })
    expect(asked).toHaveLength(1)
    await time.advance(2_000)
    outcome = () => Promise.resolve(new FakeConnection())
    await connections.get(A, 'ClientService', deadline(), OWN_CALL)
    expect(asked).toHaveLength(2)
  })

  test('are waited for until the deadline, and come for the next', async () => {
    const later: ((connection: RpcConnection) => void)[] = []
    outcome = () => new Promise((resolve) => later.push(resolve))
    const pending = connections
      .get(A, 'ClientService', time.now() + 10, OWN_CALL)
      .catch((error: unknown) => error)
    await time.advance(10)
    expect(await pending).toMatchObject({ code: 'TIMEOUT' })
    const connection = new FakeConnection()
    later[0]!(connection)
    expect(await connections.get(A, 'ClientService', deadline(), OWN_CALL)).toBe(connection)
    expect(asked).toHaveLength(1)
  })

  test('close with the store, those too that were being opened', async () => {
    const later: ((connection: RpcConnection) => void)[] = []
    const open = await connections.get(A, 'AdminService', deadline(), OWN_CALL)
    outcome = () => new Promise((resolve) => later.push(resolve))
    const pending = connections.get(A, 'ClientService', deadline(), OWN_CALL)
    connections.close()
    const late = new FakeConnection()
    later[0]!(late)
    await pending
    expect([open.closedBy?.code, late.closedBy?.code]).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED'])
    await expect(connections.get(A, 'ClientService', deadline(), OWN_CALL)).rejects.toMatchObject({
      code: 'CONNECTION_CLOSED',
    })
  })
})
