import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import {
  ADD_WATCH_MODE,
  ERROR_CODE,
  EVENT_TYPE,
  OP_CODE,
  WATCHER_TYPE,
} from '../../../src/wire/zookeeper/codes.ts'
import { part } from '../../../src/wire/zookeeper/frames.ts'
import {
  ADD_WATCH_REQUEST,
  SET_WATCHES,
  SET_WATCHES2,
  WATCHER_TYPE_REQUEST,
} from '../../../src/wire/zookeeper/server-records.ts'
import { type Event, RawClient, startServer, type ZooKeeperServer } from './zookeeper-server.ts'

let server: ZooKeeperServer
let client: RawClient
beforeEach(async () => {
  server = await startServer()
  client = await RawClient.connected(server.door.port)
})
afterEach(async () => {
  client.close()
  await server.stop()
})

const TABLE = parseTableName('w')
const create = (): Promise<void> =>
  server.store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
const disable = (): Promise<void> => server.store.catalog.disableTable(TABLE, OWN_CALL)
const remove = (): Promise<void> => server.store.catalog.deleteTable(TABLE, OWN_CALL)

/** Waits until a change is visible: a client without watches reads the node. */
async function changes(...steps: readonly (() => Promise<void>)[]): Promise<void> {
  const reader = await RawClient.connected(server.door.port)
  for (const step of steps) {
    await step()
    await reader.askPath(OP_CODE.getChildren, '/hbase/table')
  }
  reader.close()
}

const shown = (events: readonly Event[]): string[] =>
  events.map(
    ({ type, path }) => `${Object.entries(EVENT_TYPE).find(([, each]) => each === type)![0]} ${path}`,
  )

describe('a plain watch', () => {
  test('of data fires once', async () => {
    await create()
    await client.askPath(OP_CODE.getData, '/hbase/table/w', true)
    await changes(disable, remove)
    expect(shown(await client.events())).toEqual(['nodeDataChanged /hbase/table/w'])
  })

  test('of a node that is not there fires when it comes, if `exists` sets it', async () => {
    await client.askPath(OP_CODE.exists, '/hbase/table/w', true)
    await changes(create)
    expect(shown(await client.events())).toEqual(['nodeCreated /hbase/table/w'])
  })

  test.each([OP_CODE.getData, OP_CODE.getChildren, OP_CODE.getChildren2])(
    'of a node that is not there is not set by operation %d',
    async (type) => {
      expect(await client.askPath(type, '/hbase/table/w', true)).toMatchObject({ err: ERROR_CODE.noNode })
      await changes(create, disable, remove)
      expect(await client.events()).toEqual([])
    },
  )

  test('of data and of children fire once for a node that is deleted', async () => {
    await create()
    await client.askPath(OP_CODE.getData, '/hbase/table/w', true)
    await client.askPath(OP_CODE.getChildren2, '/hbase/table/w', true)
    await client.askPath(OP_CODE.getChildren, '/hbase/table', true)
    await disable()
    await client.event()
    await client.askPath(OP_CODE.getData, '/hbase/table/w', true)
    await changes(remove)
    expect(shown(await client.events())).toEqual([
      'nodeDeleted /hbase/table/w',
      'nodeChildrenChanged /hbase/table',
    ])
  })

  test('is not set without being asked for', async () => {
    await client.askPath(OP_CODE.exists, '/hbase/table/w')
    await client.askPath(OP_CODE.getChildren, '/hbase/table')
    await changes(create)
    expect(await client.events()).toEqual([])
  })
})

const addWatch = (path: string, mode: number): Promise<unknown> =>
  client.ask(OP_CODE.addWatch, part(ADD_WATCH_REQUEST, { path, mode }))

describe('addWatch', () => {
  // The events of a real HBase 2.6.1, but that it writes a state twice and changes a table's four times.
  test('persistent: fires again and again for one node', async () => {
    await addWatch('/hbase/table', ADD_WATCH_MODE.persistent)
    await addWatch('/hbase/table/w', ADD_WATCH_MODE.persistent)
    await changes(create, disable, remove)
    expect(shown(await client.events())).toEqual([
      'nodeCreated /hbase/table/w',
      'nodeChildrenChanged /hbase/table',
      'nodeDataChanged /hbase/table/w',
      'nodeDeleted /hbase/table/w',
      'nodeChildrenChanged /hbase/table',
    ])
  })

  test('recursive: fires for all nodes below, and for no list of children', async () => {
    await addWatch('/', ADD_WATCH_MODE.persistentRecursive)
    await changes(create, disable, remove)
    expect(shown(await client.events())).toEqual([
      'nodeCreated /hbase/table/w',
      'nodeDataChanged /hbase/table/w',
      'nodeDeleted /hbase/table/w',
    ])
  })

  test('with another mode is refused', async () => {
    expect(await addWatch('/hbase', 7)).toMatchObject({ err: ERROR_CODE.marshallingError })
  })
})

const askWatches = async (type: number, path: string, kind: number): Promise<number> =>
  (await client.ask(type, part(WATCHER_TYPE_REQUEST, { path, type: kind }))).err

describe('checkWatches and removeWatches', () => {
  test('know the watches by their kind', async () => {
    await client.askPath(OP_CODE.getData, '/hbase/table', true)
    expect(await askWatches(OP_CODE.checkWatches, '/hbase/table', WATCHER_TYPE.data)).toBe(0)
    expect(await askWatches(OP_CODE.checkWatches, '/hbase/table', WATCHER_TYPE.any)).toBe(0)
    expect(await askWatches(OP_CODE.checkWatches, '/hbase/table', WATCHER_TYPE.children)).toBe(-121)
    expect(await askWatches(OP_CODE.checkWatches, '/hbase', WATCHER_TYPE.data)).toBe(-121)
    expect(await askWatches(OP_CODE.checkWatches, '/hbase/table', 9)).toBe(ERROR_CODE.marshallingError)
  })

  test('a removed watch does not fire', async () => {
    await client.askPath(OP_CODE.getChildren, '/hbase/table', true)
    expect(await askWatches(OP_CODE.removeWatches, '/hbase/table', WATCHER_TYPE.any)).toBe(0)
    expect(await askWatches(OP_CODE.removeWatches, '/hbase/table', WATCHER_TYPE.any)).toBe(-121)
    await changes(create)
    expect(await client.events()).toEqual([])
  })
})

describe('after a reconnect', () => {
  const NONE = { relativeZxid: 0n, dataWatches: [], existWatches: [], childWatches: [] }

  test('the client gets the events that it has missed, and watches the rest', async () => {
    const { zxid } = await client.askPath(OP_CODE.exists, '/')
    await changes(create)
    const asked = {
      relativeZxid: zxid,
      dataWatches: ['/hbase/master', '/nope'],
      existWatches: ['/hbase/table/w', '/hbase/table/x'],
      childWatches: ['/hbase/table', '/hbase/namespace', '/nope2'],
    }
    client.send(OP_CODE.setWatches, [part(SET_WATCHES, asked)], -8)
    expect(await client.answer()).toMatchObject({ xid: -8, err: 0 })
    expect(shown(await client.events())).toEqual([
      'nodeDeleted /nope',
      'nodeCreated /hbase/table/w',
      'nodeChildrenChanged /hbase/table',
      'nodeDeleted /nope2',
    ])
    await server.store.catalog.createNamespace({ name: 'n', properties: new Map() }, OWN_CALL)
    expect(shown([await client.event()])).toEqual(['nodeChildrenChanged /hbase/namespace'])
  })

  test('data that has changed meanwhile fires its watch', async () => {
    await create()
    client.send(OP_CODE.setWatches, [part(SET_WATCHES, { ...NONE, dataWatches: ['/hbase/table/w'] })], -8)
    expect(shown([await client.event()])).toEqual(['nodeDataChanged /hbase/table/w'])
  })

  test('persistent watches come back', async () => {
    const asked = {
      ...NONE,
      persistentWatches: ['/hbase/table'],
      persistentRecursiveWatches: ['/hbase/table'],
    }
    client.send(OP_CODE.setWatches2, [part(SET_WATCHES2, asked)], -8)
    expect(await client.answer()).toMatchObject({ xid: -8, err: 0 })
    await changes(create)
    expect(shown(await client.events())).toEqual([
      'nodeCreated /hbase/table/w',
      'nodeChildrenChanged /hbase/table',
    ])
  })

  test('watches of the old connection are gone', async () => {
    const first = new RawClient(server.door.port)
    const { sessionId, passwd } = await first.handshake()
    await first.askPath(OP_CODE.exists, '/hbase/table/w', true)
    first.close()
    const second = new RawClient(server.door.port)
    await second.handshake({ sessionId, passwd })
    await changes(create)
    expect(await second.events()).toEqual([])
    second.close()
  })
})
