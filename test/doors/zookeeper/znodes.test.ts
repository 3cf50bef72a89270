import { readFileSync } from 'node:fs'
import { fromBinary } from '@bufbuild/protobuf'
import { afterEach, describe, expect, test } from 'vitest'
import { ZnodeRegistry } from '../../../adapters/hbase/registry/znode-registry.ts'
import { readZnode } from '../../../adapters/hbase/registry/znode-value.ts'
import { ZooKeeperClient } from '../../../adapters/hbase/zookeeper/zookeeper-client.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../src/store/decorate.ts'
import type { Store } from '../../../src/store/store.ts'
import { NamespaceDescriptorSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { MasterSchema } from '../../../src/wire/rpc/gen/zookeeper_pb.ts'
import { EVENT_TYPE, OP_CODE } from '../../../src/wire/zookeeper/codes.ts'
import { GET_CHILDREN_RESPONSE, GET_DATA_RESPONSE } from '../../../src/wire/zookeeper/records.ts'
import { type DescribedZnode, describedZnodes } from '../../harness/zookeeper/described-znodes.ts'
import {
  RawClient,
  SERVER,
  type ServerOptions,
  startServer,
  type ZooKeeperServer,
} from './zookeeper-server.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function start(options: ServerOptions = {}): Promise<ZooKeeperServer> {
  const server = await startServer(options)
  cleanUps.push(() => server.stop())
  return server
}

function clientOf({ door }: ZooKeeperServer, chroot = ''): ZooKeeperClient {
  const client = new ZooKeeperClient({
    servers: [{ host: '127.0.0.1', port: door.port }],
    chroot,
    sessionTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    requestTimeoutMs: 5000,
    idleMs: 5000,
    random: () => 0,
  })
  cleanUps.push(() => client.close())
  return client
}

async function rawClientOf({ door }: ZooKeeperServer): Promise<RawClient> {
  const client = await RawClient.connected(door.port)
  cleanUps.push(() => client.close())
  return client
}

const createTable = ({ store }: ZooKeeperServer, name: string): Promise<void> =>
  store.catalog.createTable(tableDescriptor(parseTableName(name), [familyDescriptor('f')]), [], OWN_CALL)

const createNamespace = ({ store }: ZooKeeperServer, name: string, key = 'k'): Promise<void> =>
  store.catalog.createNamespace({ name, properties: new Map([[key, 'v']]) }, OWN_CALL)

async function childrenOf(client: RawClient, path: string): Promise<readonly string[]> {
  const { reader } = await client.askPath(OP_CODE.getChildren, path)
  return [...GET_CHILDREN_RESPONSE.read(reader).children].sort()
}

describe('the znodes', () => {
  // The file is what tools/zookeeper-clients.ts writes with --record: two tables, `plain` disabled, and a namespace.
  const recorded = JSON.parse(
    readFileSync(new URL('test/doors/zookeeper/hbase-znodes.json', packageRoot()), 'utf8'),
  ) as DescribedZnode[]

  test.each(['/hbase', '/hbase/luxblue-hb1', '/a/b/c'])(
    'below %s are those of a real HBase',
    async (znodeParent) => {
      const server = await start({ znodeParent })
      await server.store.catalog.createNamespace({ name: 'ns1', properties: new Map() }, OWN_CALL)
      await createTable(server, 'ns1:t')
      await createTable(server, 'plain')
      await server.store.catalog.disableTable(parseTableName('plain'), OWN_CALL)
      expect(await describedZnodes(clientOf(server), znodeParent)).toEqual(recorded)
    },
  )

  test('have the address of the server and the id of the cluster', async () => {
    const server = await start()
    const registry = new ZnodeRegistry(clientOf(server, '/hbase'), '/hbase')
    expect(await registry.clusterId()).toBe(await server.store.clusterId())
    expect(await registry.activeMaster()).toEqual(SERVER)
    expect((await registry.metaLocation()).server).toEqual(SERVER)
  })

  test('have the port of the status page as the session starts', async () => {
    let infoPort = 0
    const server = await start({ infoPort: () => infoPort })
    infoPort = 12_345
    const { data } = (await clientOf(server).getData('/hbase/master'))!
    expect(fromBinary(MasterSchema, readZnode(data)).infoPort).toBe(12_345)
  })

  test('of a namespace have its properties', async () => {
    const server = await start()
    await createNamespace(server, 'ns', 'color')
    const { data } = (await clientOf(server).getData('/hbase/namespace/ns'))!
    const message = fromBinary(NamespaceDescriptorSchema, data.subarray(5 + data.readInt32BE(1)))
    expect(message.configuration).toMatchObject([{ name: 'color', value: 'v' }])
  })

  test('keep their versions where nothing changes', async () => {
    const server = await start()
    await createTable(server, 't')
    const client = await rawClientOf(server)
    const version = async (path: string): Promise<number> => {
      const { reader } = await client.askPath(OP_CODE.getData, path)
      return GET_DATA_RESPONSE.read(reader).stat.version
    }
    expect(await version('/hbase/table/t')).toBe(0)
    await createTable(server, 'u')
    expect(await version('/hbase/table/t')).toBe(0)
    await server.store.catalog.disableTable(parseTableName('t'), OWN_CALL)
    expect(await version('/hbase/table/t')).toBe(1)
  })
})

/** A store without events of changes that others make: a cluster. */
function withoutEvents(store: Store): Store {
  const catalog = withMethods(store.catalog, {})
  delete catalog.watch
  return withFacets(store, { catalog })
}

describe('tables and namespaces', () => {
  test('are sent to watchers', async () => {
    const server = await start()
    const client = await rawClientOf(server)
    await client.askPath(OP_CODE.exists, '/hbase/table/t', true)
    await client.askPath(OP_CODE.getChildren, '/hbase/namespace', true)
    await createTable(server, 't')
    expect(await client.event()).toEqual({ type: EVENT_TYPE.nodeCreated, state: 3, path: '/hbase/table/t' })
    await createNamespace(server, 'ns')
    expect(await client.event()).toEqual({
      type: EVENT_TYPE.nodeChildrenChanged,
      state: 3,
      path: '/hbase/namespace',
    })
    await server.store.catalog.deleteNamespace('ns', OWN_CALL)
    expect(await childrenOf(client, '/hbase/namespace')).toEqual(['default', 'hbase'])
  })

  test('of a store without events are read again when a client asks', async () => {
    let now = Date.now()
    const server = await start({ over: withoutEvents, now: () => now })
    const client = await rawClientOf(server)
    await createTable(server, 't')
    now += 999
    expect(await childrenOf(client, '/hbase/table')).toEqual(['hbase:meta', 'hbase:namespace'])
    now += 1
    const [first, second] = [childrenOf(client, '/hbase/table'), childrenOf(client, '/hbase')]
    expect(await first).toEqual(['hbase:meta', 'hbase:namespace', 't'])
    expect(await second).toContain('hbaseid')
  })

  test('stay as they were while a cluster is away, and its id comes with it', async () => {
    let isAway = true
    const away = (store: Store): Store => ({
      ...withoutEvents(store),
      clusterId: async () => {
        if (isAway) throw new HBaseError('UNAVAILABLE', 'no server answers')
        return 'an-id'
      },
    })
    const server = await start({ over: away })
    const client = clientOf(server, '/hbase')
    const registry = new ZnodeRegistry(client, '/hbase')
    expect((await registry.metaLocation()).server).toEqual(SERVER)
    expect(await client.getData('/hbaseid')).toBeUndefined()
    expect(server.logged).toEqual(['ZooKeeper: the catalog cannot be read; znodes stay as they were'])
    isAway = false
    expect(await registry.clusterId()).toBe('an-id')
  })
})
