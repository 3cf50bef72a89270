import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  ZooKeeperClient,
  type ZooKeeperClientOptions,
} from '../../../../adapters/hbase/zookeeper/zookeeper-client.ts'
import { ERROR_CODE } from '../../../../src/wire/zookeeper/codes.ts'
import { FakeZooKeeper, type Fault } from './fake-zookeeper.ts'

let fakes: FakeZooKeeper[] = []
let clients: ZooKeeperClient[] = []

beforeEach(() => {
  fakes = []
  clients = []
})

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await Promise.all(fakes.map((fake) => fake.stop()))
})

async function ensemble(count: number): Promise<FakeZooKeeper[]> {
  const sessions = new Map<bigint, Buffer>()
  for (let i = 0; i < count; i++) {
    const fake = await FakeZooKeeper.start(sessions)
    fake.nodes.set('/hbase', null)
    fake.nodes.set('/hbase/master', Buffer.from([0xff, 0, 1]))
    fake.nodes.set('/hbase/rs', Buffer.alloc(0))
    fakes.push(fake)
  }
  return fakes
}

function clientOf(
  servers: readonly { readonly address: { host: string; port: number } }[],
  options: Partial<ZooKeeperClientOptions> = {},
): ZooKeeperClient {
  const client = new ZooKeeperClient({
    servers: servers.map(({ address }) => address),
    chroot: '/hbase',
    sessionTimeoutMs: 30_000,
    connectTimeoutMs: 2_000,
    requestTimeoutMs: 2_000,
    idleMs: 60_000,
    random: () => 0,
    ...options,
  })
  clients.push(client)
  return client
}

describe('the ZooKeeper client', () => {
  test('reads data, children and what there is, below its chroot', async () => {
    const [fake] = await ensemble(1)
    const client = clientOf([fake!])
    expect((await client.getData('/master'))?.data).toEqual(Buffer.from([0xff, 0, 1]))
    expect(await client.getData('/absent')).toBeUndefined()
    expect((await client.getData(''))?.data).toEqual(Buffer.alloc(0))
    expect(await client.getChildren('')).toEqual(['master', 'rs'])
    expect(await client.getChildren('/absent')).toBeUndefined()
    expect(await client.exists('/rs')).toMatchObject({ czxid: 1n })
    expect(await client.exists('/absent')).toBeUndefined()
    expect(fake!.connects).toHaveLength(1)
    expect(fake!.requests[0]).toEqual({ type: 4, path: '/hbase/master' })
  })

  test('sends requests in parallel over one connection, and ignores events of watches', async () => {
    const [fake] = await ensemble(1)
    fake!.chatty = true
    const client = clientOf([fake!])
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => client.getData(i % 2 === 0 ? '/master' : '/absent')),
    )
    expect(answers.map((answer) => answer?.data.length)).toEqual(
      Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? 3 : undefined)),
    )
    expect(fake!.connects).toHaveLength(1)
  })

  test('goes on to another server with its session when one hangs up', async () => {
    const [first, second] = await ensemble(2)
    const client = clientOf([first!, second!])
    await client.exists('/master')
    first!.faults.push('hang-up')
    expect(await client.exists('/master')).toBeDefined()
    expect(second!.connects).toMatchObject([{ sessionId: 1n, passwd: Buffer.alloc(16, 1) }])
    expect(second!.connects[0]!.lastZxidSeen).toBeGreaterThan(100n)
  })

  test('skips servers that do not answer', async () => {
    const [gone, alive] = await ensemble(2)
    const { address } = gone!
    await gone!.stop()
    const client = clientOf([{ address }, alive!])
    expect(await client.exists('/master')).toBeDefined()
  })

  test('takes a new session where the old one has expired', async () => {
    const [first, second] = await ensemble(2)
    const client = clientOf([first!, second!])
    await client.exists('/master')
    first!.sessions.clear()
    first!.hangUp()
    expect(await client.exists('/master')).toBeDefined()
    expect(second!.connects.map(({ sessionId }) => sessionId)).toEqual([1n, 0n])
  })

  test('takes a new session when the server reports in between that the old one has expired', async () => {
    const [fake] = await ensemble(1)
    const client = clientOf([fake!])
    fake!.faults.push({ err: ERROR_CODE.sessionExpired })
    expect(await client.exists('/master')).toBeDefined()
    expect(fake!.connects.map(({ sessionId }) => sessionId)).toEqual([0n, 0n])
  })

  test.each<Fault>(['silence', 'wrong-xid', 'garbage'])('asks again after %s', async (fault) => {
    const [fake] = await ensemble(1)
    const client = clientOf([fake!], { requestTimeoutMs: 50 })
    fake!.faults.push(fault)
    expect(await client.exists('/master')).toBeDefined()
    expect(fake!.connects).toHaveLength(2)
  })

  test('gives up when every server has failed once more than there are', async () => {
    const [first, second] = await ensemble(2)
    const client = clientOf([first!, second!])
    first!.faults.push('hang-up', 'hang-up')
    second!.faults.push('hang-up')
    await expect(client.exists('/master')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect([first!.requests.length, second!.requests.length]).toEqual([2, 1])
    expect(await client.exists('/master')).toBeDefined()
  })

  test.each([
    [ERROR_CODE.noAuth, 'DO_NOT_RETRY', 'noAuth'],
    [ERROR_CODE.badArguments, 'IO', 'badArguments'],
    [-999, 'IO', 'error -999'],
  ])('says what the server refuses: %d', async (err, code, name) => {
    const [fake] = await ensemble(1)
    const client = clientOf([fake!])
    fake!.faults.push({ err })
    await expect(client.exists('/master')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`ZooKeeper answers ${name} for /hbase/master`),
    })
    expect(fake!.connects).toHaveLength(1)
  })

  test('keeps its session by pings', async () => {
    const [fake] = await ensemble(1)
    fake!.timeOut = 30
    const client = clientOf([fake!])
    await client.exists('/master')
    await vi.waitFor(() => expect(fake!.pings).toBeGreaterThan(3))
    expect(fake!.connections).toBe(1)
    await client.exists('/master')
    expect(fake!.connects).toHaveLength(1)
  })

  test('leaves a server that answers no pings', async () => {
    const [fake] = await ensemble(1)
    fake!.timeOut = 30
    fake!.answersPings = false
    const client = clientOf([fake!])
    await client.exists('/master')
    await vi.waitFor(() => expect(fake!.connections).toBe(0))
    expect(await client.exists('/master')).toBeDefined()
  })

  test('ends its session after a while without requests, and begins another', async () => {
    const [fake] = await ensemble(1)
    const client = clientOf([fake!], { idleMs: 20 })
    await client.exists('/master')
    await vi.waitFor(() => expect(fake!.sessions.size).toBe(0))
    expect(await client.exists('/master')).toBeDefined()
    expect(fake!.connects.map(({ sessionId }) => sessionId)).toEqual([0n, 0n])
  })

  test('ends its session when it is closed, and requests in flight fail', async () => {
    const [fake] = await ensemble(1)
    const client = clientOf([fake!])
    await client.exists('/master')
    fake!.faults.push('silence')
    const pending = client.exists('/master')
    await client.close()
    await expect(pending).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(client.exists('/master')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await vi.waitFor(() => expect(fake!.connections).toBe(0))
    expect(fake!.sessions.size).toBe(0)
  })
})
