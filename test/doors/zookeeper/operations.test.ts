import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ERROR_CODE, MULTI_ERROR, OP_CODE } from '../../../src/wire/zookeeper/codes.ts'
import { encodeFrame, type FramePart, part, readLast } from '../../../src/wire/zookeeper/frames.ts'
import type { JuteReader } from '../../../src/wire/zookeeper/jute-reader.ts'
import { INT } from '../../../src/wire/zookeeper/jute-type.ts'
import {
  AUTH_PACKET,
  GET_CHILDREN_RESPONSE,
  GET_CHILDREN2_RESPONSE,
  GET_DATA_RESPONSE,
  PATH_REQUEST,
  SYNC_PATH,
} from '../../../src/wire/zookeeper/records.ts'
import {
  CHECK_VERSION_REQUEST,
  ERROR_RESPONSE,
  GET_ACL_RESPONSE,
  GET_ALL_CHILDREN_NUMBER_RESPONSE,
  MULTI_HEADER,
  SASL_TOKEN,
  WHO_AM_I_RESPONSE,
} from '../../../src/wire/zookeeper/server-records.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { RawClient, startServer, type ZooKeeperServer } from './zookeeper-server.ts'

let server: ZooKeeperServer
let client: RawClient
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  client = await RawClient.connected(server.door.port)
})
afterEach(() => client.close())

const { ok, noNode, badVersion, notReadOnly, marshallingError, unimplemented, authFailed } = ERROR_CODE

const statOf = async (path: string): Promise<object> => {
  return readLast((await client.askPath(OP_CODE.getData, path)).reader, GET_DATA_RESPONSE).stat
}

const acl = async (path: string): Promise<unknown> => {
  const { reader } = await client.ask(OP_CODE.getAcl, part(SYNC_PATH, { path }))
  return readLast(reader, GET_ACL_RESPONSE).acl
}

const count = async (path: string): Promise<number> => {
  const { reader } = await client.ask(OP_CODE.getAllChildrenNumber, part(SYNC_PATH, { path }))
  return readLast(reader, GET_ALL_CHILDREN_NUMBER_RESPONSE).totalNumber
}

describe('reads', () => {
  // Each answer is one that the ZooKeeper of a real HBase 2.6.1 gave.
  test.each([
    ['', ok],
    ['/', ok],
    ['/hbase', ok],
    ['/zookeeper/config', ok],
    ['/nope', noNode],
    ['/hbase/', noNode],
    ['hbase', noNode],
    ['/hbase/../hbase', noNode],
    ['/hbase/meta-region-server-1', noNode],
  ])('of %j are answered by error %d', async (path, err) => {
    for (const type of [OP_CODE.exists, OP_CODE.getData, OP_CODE.getChildren, OP_CODE.getChildren2]) {
      expect(await client.askPath(type, path)).toMatchObject({ err })
    }
    for (const type of [OP_CODE.getAcl, OP_CODE.getAllChildrenNumber]) {
      expect(await client.ask(type, part(SYNC_PATH, { path }))).toMatchObject({ err })
    }
  })

  test('have the statistics of the node', async () => {
    const { reader, zxid } = await client.askPath(OP_CODE.getChildren2, '/hbase/rs')
    const { children, stat } = readLast(reader, GET_CHILDREN2_RESPONSE)
    expect(children).toEqual(['region.example,16020,1700000000000'])
    expect(stat).toMatchObject({ version: 0, cversion: 1, aversion: 0, dataLength: 0, numChildren: 1 })
    expect(stat.pzxid).toBeGreaterThan(stat.czxid)
    expect(stat.pzxid).toBeLessThanOrEqual(zxid)
    const ofChild = await client.askPath(OP_CODE.getData, `/hbase/rs/${children[0]}`)
    const child = readLast(ofChild.reader, GET_DATA_RESPONSE)
    expect(child.stat).toMatchObject({ czxid: stat.pzxid, dataLength: child.data!.length, numChildren: 0 })
    expect(child.stat.ephemeralOwner).not.toBe(0n)
  })

  test('ZooKeeper’s own nodes have its odd statistics', async () => {
    expect(await statOf('/')).toMatchObject({ czxid: 0n, cversion: 0, numChildren: 2 })
    expect(await statOf('/zookeeper')).toMatchObject({ czxid: 0n, cversion: -2, numChildren: 2 })
    expect(await statOf('/zookeeper/config')).toMatchObject({ czxid: 0n, aversion: -1 })
  })

  test('an access list lets all users do everything, as in a cluster without Kerberos', async () => {
    expect(await acl('/hbase/master')).toEqual([{ perms: 31, id: { scheme: 'world', id: 'anyone' } }])
    expect(await acl('/zookeeper/config')).toEqual([{ perms: 1, id: { scheme: 'world', id: 'anyone' } }])
  })

  test('count the nodes below one', async () => {
    expect(await count('/hbase')).toBe(24)
    expect(await count('/')).toBe(28)
    expect(await count('/hbase/master')).toBe(0)
  })

  test('sync answers any path', async () => {
    const { err, reader } = await client.ask(OP_CODE.sync, part(SYNC_PATH, { path: '/nope' }))
    expect([err, readLast(reader, SYNC_PATH)]).toEqual([ok, { path: '/nope' }])
  })

  test('a session has no ephemeral nodes', async () => {
    const { reader } = await client.ask(OP_CODE.getEphemerals, part(SYNC_PATH, { path: '/' }))
    expect(readLast(reader, GET_CHILDREN_RESPONSE).children).toEqual([])
  })

  test('answers come in the order of requests', async () => {
    const paths = ['/hbase/table', '/hbase', '/nope', '/hbase/namespace/default', '/']
    for (const path of paths) client.send(OP_CODE.exists, [part(PATH_REQUEST, { path, watch: false })])
    const answers = []
    for (const _ of paths) answers.push(await client.answer())
    expect(answers.map(({ xid, err }) => [xid, err])).toEqual([
      [1, 0],
      [2, 0],
      [3, noNode],
      [4, 0],
      [5, 0],
    ])
  })
})

const auth = (scheme: string, text: string): Promise<{ err: number }> =>
  client.ask(OP_CODE.auth, part(AUTH_PACKET, { type: 0, scheme, auth: Buffer.from(text) }))
const users = async (): Promise<unknown> =>
  readLast((await client.ask(OP_CODE.whoAmI)).reader, WHO_AM_I_RESPONSE).clientInfo

describe('who', () => {
  test('a client is its address, and the users that it names', async () => {
    expect(await users()).toEqual([{ authScheme: 'ip', user: '127.0.0.1' }])
    expect(await auth('digest', 'me:secret')).toMatchObject({ err: ok })
    expect(await auth('digest', 'me:secret')).toMatchObject({ err: ok })
    expect(await users()).toEqual([
      { authScheme: 'digest', user: 'me' },
      { authScheme: 'ip', user: '127.0.0.1' },
    ])
  })

  test.each(['world', 'sasl', 'nope'])('the scheme %s ends the connection', async (scheme) => {
    expect(await auth(scheme, 'x')).toMatchObject({ err: authFailed })
    await client.closed()
  })

  test('SASL is not there', async () => {
    const { err, reader } = await client.ask(OP_CODE.sasl, part(SASL_TOKEN, { token: Buffer.from('x') }))
    expect([err, readLast(reader, SASL_TOKEN)]).toEqual([ok, { token: null }])
  })
})

describe('changes', () => {
  const CHANGES = ['create', 'delete', 'setData', 'setAcl', 'create2', 'reconfig'] as const
  const MORE_CHANGES = ['createContainer', 'deleteContainer', 'createTtl'] as const

  test.each([...CHANGES, ...MORE_CHANGES])('%s is refused as by a server that only reads', async (name) => {
    expect(await client.ask(OP_CODE[name])).toMatchObject({ err: notReadOnly })
    expect(await client.askPath(OP_CODE.exists, '/')).toMatchObject({ err: ok })
  })
})

const header = (type: number, done = false): FramePart => part(MULTI_HEADER, { type, done, err: -1 })
const end = header(-1, true)
const check = (path: string, version: number): readonly FramePart[] => [
  header(OP_CODE.check),
  part(CHECK_VERSION_REQUEST, { path, version }),
]
const read = (type: number, path: string): readonly FramePart[] => [
  header(type),
  part(PATH_REQUEST, { path, watch: false }),
]
const results = (reader: JuteReader): object[] => {
  const found: object[] = []
  for (let at = MULTI_HEADER.read(reader); !at.done; at = MULTI_HEADER.read(reader)) {
    if (at.type === MULTI_ERROR) found.push(ERROR_RESPONSE.read(reader))
    else if (at.type === OP_CODE.check) found.push({ check: at.err })
    else if (at.type === OP_CODE.getData) found.push(GET_DATA_RESPONSE.read(reader))
    else found.push(GET_CHILDREN_RESPONSE.read(reader))
  }
  expect(reader.remaining).toBe(0)
  return found
}

describe('several operations', () => {
  test('checks succeed together', async () => {
    const { err, reader } = await client.ask(OP_CODE.multi, ...check('/hbase', -1), ...check('/', 0), end)
    expect([err, results(reader)]).toEqual([ok, [{ check: 0 }, { check: 0 }]])
  })

  test('or fail together', async () => {
    const asked = [...check('/hbase', -1), ...check('/hbase', 7), ...check('/nope', 0), end]
    const { err, reader } = await client.ask(OP_CODE.multi, ...asked)
    expect([err, results(reader)]).toEqual([ok, [{ err: 0 }, { err: -103 }, { err: -2 }]])
  })

  test('a check of any version is answered: an error for one that is not the version of the node', async () => {
    const versions = fc.oneof(fc.integer({ min: -3, max: 300 }), fc.integer())
    await fc.assert(
      fc.asyncProperty(versions, async (version) => {
        const { err, reader } = await client.ask(OP_CODE.multi, ...check('/hbase', version), end)
        const expected = version === -1 || version === 0 ? { check: 0 } : { err: badVersion }
        expect([err, results(reader)]).toEqual([ok, [expected]])
      }),
      { numRuns: testRuns(100) },
    )
  })

  test('a change among them is refused', async () => {
    const asked = [...check('/hbase', -1), header(OP_CODE.setData), part(INT, 0), end]
    expect(await client.ask(OP_CODE.multi, ...asked)).toMatchObject({ err: notReadOnly })
  })

  test('reads are answered each', async () => {
    const asked = [...read(OP_CODE.getChildren, '/hbase/rs'), ...read(OP_CODE.getData, '/nope')]
    const { reader } = await client.ask(
      OP_CODE.multiRead,
      ...asked,
      ...read(OP_CODE.getData, '/hbase/rs'),
      end,
    )
    expect(results(reader)).toMatchObject([
      { children: [expect.any(String)] },
      { err: noNode },
      { data: Buffer.alloc(0) },
    ])
  })

  test('other operations are no reads', async () => {
    const asked = [...read(OP_CODE.exists, '/hbase'), end]
    expect(await client.ask(OP_CODE.multiRead, ...asked)).toMatchObject({ err: marshallingError })
  })
})

describe('what cannot be read', () => {
  test.each([OP_CODE.exists, OP_CODE.getData, OP_CODE.setWatches, OP_CODE.multi, OP_CODE.addWatch])(
    'operation %d without its request is refused, and the connection goes on',
    async (type) => {
      expect(await client.ask(type)).toMatchObject({ err: marshallingError })
      expect(await client.ask(type, part(INT, 100), part(INT, 1))).toMatchObject({ err: marshallingError })
      expect(await client.askPath(OP_CODE.exists, '/')).toMatchObject({ err: ok })
    },
  )

  test.each([0, 23, 999, -1, -10])('the unknown operation %d ends the connection', async (type) => {
    expect(await client.ask(type)).toMatchObject({ err: unimplemented, zxid: -1n })
    await client.closed()
  })

  test('a header that is cut short ends the connection, and no other', async () => {
    const other = await RawClient.connected(server.door.port)
    client.socket.write(encodeFrame(part(INT, 1)))
    await client.closed()
    expect(await other.askPath(OP_CODE.exists, '/')).toMatchObject({ err: ok })
    other.close()
  })
})

test('requests are counted by their operation and outcome', async () => {
  const samples = [...server.door.counters.requestSamples('zookeeper')]
  const of = (method: string, outcome: string): number =>
    samples.find(({ labels }) => labels!['method'] === method && labels!['outcome'] === outcome)!.value
  expect(of('createSession', 'ok')).toBeGreaterThan(20)
  expect(of('getData', 'ok')).toBeGreaterThan(0)
  expect(of('getData', 'refused')).toBeGreaterThan(0)
  expect(of('unknown', 'refused')).toBe(5)
  expect(server.logged.filter((message) => message.includes('bug'))).toEqual([])
})
