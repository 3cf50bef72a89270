import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  DEFAULT_ZOOKEEPER_LOGIN,
  type ZooKeeperLoginOptions,
} from '../../../../adapters/hbase/config/zookeeper-login.ts'
import { ZooKeeperClient } from '../../../../adapters/hbase/zookeeper/zookeeper-client.ts'
import { KerberosError } from '../../../../src/kerberos/kerberos.ts'
import { SaslFailure } from '../../../../src/wire/sasl/sasl.ts'
import { ERROR_CODE, OP_CODE } from '../../../../src/wire/zookeeper/codes.ts'
import { FakeService, fakeLogin } from '../../../harness/fake-kerberos.ts'
import { FakeZooKeeper } from './fake-zookeeper.ts'

const TIDEGATE = 'tidegate/gate@TEST'

let zookeeper: FakeZooKeeper
let service: FakeService
let targets: string[]
const clients: ZooKeeperClient[] = []

beforeEach(async () => {
  zookeeper = await FakeZooKeeper.start()
  zookeeper.nodes.set('/hbase/hbaseid', Buffer.from('id'))
  service = new FakeService()
  zookeeper.logins = service
  targets = []
})

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await zookeeper.stop()
})

function client(
  options: Partial<ZooKeeperLoginOptions> | undefined,
  kerberos = fakeLogin(TIDEGATE, targets),
): ZooKeeperClient {
  const made = new ZooKeeperClient({
    servers: [zookeeper.address],
    login: options && { kerberos, options: { ...DEFAULT_ZOOKEEPER_LOGIN, asksForNames: false, ...options } },
    chroot: '/hbase',
    sessionTimeoutMs: 30_000,
    connectTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    idleMs: 60_000,
    random: () => 0,
  })
  clients.push(made)
  return made
}

async function read(from: ZooKeeperClient): Promise<string | undefined> {
  return (await from.getData('/hbaseid'))?.data.toString()
}

async function targetWith(options: Partial<ZooKeeperLoginOptions>): Promise<string> {
  targets.length = 0
  await read(client({ use: 'always', ...options }))
  return targets.join()
}

describe('the login to ZooKeeper', () => {
  test('where every client may read, there is none', async () => {
    expect(await read(client({}))).toBe('id')
    expect(targets).toEqual([])
  })

  test.each([
    ['the access list of a znode refuses', ERROR_CODE.noAuth],
    ['the server wants a login of every session', ERROR_CODE.sessionClosedRequireAuth],
  ])('where %s, the client logs in and reads again', async (_, denial) => {
    zookeeper.reader = TIDEGATE
    zookeeper.denial = denial
    const reader = client({})
    expect(await Promise.all([read(reader), read(reader), read(reader)])).toEqual(['id', 'id', 'id'])
    expect(zookeeper.principals).toEqual([TIDEGATE])
    expect(targets).toEqual(['zookeeper/127.0.0.1@TEST'])
    await expect.poll(() => zookeeper.connections).toBe(1)
  })

  test('a new connection logs in at once, and the old login is given back', async () => {
    zookeeper.reader = TIDEGATE
    const reader = client({})
    expect(await read(reader)).toBe('id')
    const asked = zookeeper.requests.length
    zookeeper.hangUp()
    expect(await read(reader)).toBe('id')
    expect(zookeeper.principals).toEqual([TIDEGATE, TIDEGATE])
    expect(zookeeper.requests.slice(asked).map(({ type }) => type)).toEqual([OP_CODE.getData])
    await reader.close()
    await expect.poll(() => service.open).toBe(0)
  })

  test('with `always` the first connection logs in', async () => {
    expect(await read(client({ use: 'always' }))).toBe('id')
    expect(zookeeper.principals).toEqual([TIDEGATE])
  })

  test.each([undefined, { use: 'never' } as const])(
    'without a login (%s) the refusal says that there could be one',
    async (options) => {
      zookeeper.reader = TIDEGATE
      await expect(read(client(options))).rejects.toMatchObject({
        code: 'DO_NOT_RETRY',
        message: expect.stringMatching(/noAuth for \/hbase\/hbaseid: it wants a login.*Kerberos/),
      })
    },
  )

  test('a login that the access list does not name', async () => {
    zookeeper.reader = 'other@TEST'
    await expect(read(client({}))).rejects.toThrow(/it does not let tidegate\/gate@TEST in/)
    expect(zookeeper.principals).toEqual([TIDEGATE])
  })

  test('a server without SASL: the connection goes on without a login', async () => {
    zookeeper.logins = undefined
    expect(await read(client({ use: 'always' }))).toBe('id')
    zookeeper.reader = TIDEGATE
    await expect(read(client({}))).rejects.toThrow(/it takes no login by SASL/)
  })

  test('a login that the server refuses', async () => {
    service.pause = () => Promise.reject(new SaslFailure('no'))
    await expect(read(client({ use: 'always' }))).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringMatching(
        /login as tidegate\/gate@TEST to zookeeper\/127.0.0.1@TEST: the server answers authFailed/,
      ),
    })
    await expect.poll(() => zookeeper.connections).toBe(0)
  })

  test.each([
    ['a KDC that does not answer', new SaslFailure('away', new KerberosError('away')), 'UNAVAILABLE'],
    ['a server that proves nothing', new SaslFailure('forged'), 'REFUSED'],
  ])('%s', async (_, failure, code) => {
    let isClosed = false
    const exchange = {
      step: () => Promise.reject(failure),
      layer: undefined,
      close: () => {
        isClosed = true
      },
    }
    const login = { ...fakeLogin(TIDEGATE), saslClient: () => exchange }
    await expect(read(client({ use: 'always' }, login))).rejects.toMatchObject({ code })
    expect(isClosed).toBe(true)
  })

  test("the servers' principal", async () => {
    expect(await targetWith({ service: 'zk', realm: 'OTHER' })).toBe('zk/127.0.0.1@OTHER')
    expect(await targetWith({ principal: 'zookeeper/one@TEST' })).toBe('zookeeper/one@TEST')
    expect(await targetWith({ asksForNames: true })).toMatch(/^zookeeper\/[a-z0-9.-]+@TEST$/)
  })
})
