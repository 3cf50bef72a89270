import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RegistryKind, ServerAddress } from '../../../../adapters/hbase/config/cluster-address.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import { ServerConnections } from '../../../../adapters/hbase/connections/server-connections.ts'
import type { ConnectionRegistry } from '../../../../adapters/hbase/registry/connection-registry.ts'
import { openRegistry } from '../../../../adapters/hbase/registry/open-registry.ts'
import type {
  RpcConnection,
  RpcConnectionOptions,
  RpcResponse,
} from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import { ClusterIdSchema } from '../../../../src/wire/rpc/gen/registry_pb.ts'
import { MasterSchema, MetaRegionServerSchema } from '../../../../src/wire/rpc/gen/zookeeper_pb.ts'
import type { RpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'
import { ManualTime, settled } from '../retry/manual-time.ts'
import { FakeZooKeeper } from '../zookeeper/fake-zookeeper.ts'

const MASTER = { host: 'm', port: 16000, startCode: 1_700_000_000_001 }
const META = { host: 'r', port: 16020, startCode: 1_700_000_000_002 }
/** The answer of HBase 2.6.1 to a ZooKeeper client. */
const COMPLAINT = Buffer.concat([
  Buffer.from('000000908e0108ffffffff0f1285010a34', 'hex'),
  Buffer.from('org.apache.hadoop.hbase.ipc.FatalConnectionException'),
  Buffer.from('124b', 'hex'),
  Buffer.from('Expected HEADER=HBas but received HEADER=\\x00\\x00\\x00- from 127.0.0.1:57262'),
  Buffer.from('2801', 'hex'),
])

const message = ({
  host,
  port,
  startCode,
}: typeof MASTER): { hostName: string; port: number; startCode: bigint } => ({
  hostName: host,
  port,
  startCode: BigInt(startCode),
})

const at = (port: number): ServerAddress => ({ host: '127.0.0.1', port })

let time: ManualTime
let zookeeper: FakeZooKeeper
let server: Server
/** The answers of each server, by its port, and the calls in their order. */
let nodes: Map<number, { readonly next: number[] } | 'gone'>
let calls: string[]
const registries: ConnectionRegistry[] = []

beforeEach(async () => {
  time = new ManualTime()
  nodes = new Map()
  calls = []
  zookeeper = await FakeZooKeeper.start()
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(async () => {
  await Promise.all(registries.splice(0).map((registry) => registry.close()))
  await zookeeper.stop()
  server.close()
  await once(server, 'close')
})

function answering(bytes: Buffer | undefined): ServerAddress {
  server.on('connection', (socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => (bytes === undefined ? socket.destroy() : socket.end(bytes)))
  })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

function open(registry: RegistryKind, servers: readonly ServerAddress[]): ConnectionRegistry {
  const connections = new ServerConnections({
    time,
    options: { user: 'u' },
    failedServerMs: 0,
    connect: ({ port }: RpcConnectionOptions) => {
      if (nodes.get(port) === 'gone') return Promise.reject(new RpcError('CONNECT_FAILED', `no ${port}`))
      return Promise.resolve(new MetaService(port))
    },
  })
  const opened = openRegistry({
    cluster: { registry, servers, znodeParent: '/hbase' },
    options: { ...DEFAULT_HBASE_OPTIONS, connectTimeoutMs: 2_000 },
    connections,
    time,
    random: () => 0,
  })
  registries.push(opened)
  return opened
}

/** ClientMetaService of the server at a port. */
class MetaService implements RpcConnection {
  readonly pending = 0
  readonly closedBy = undefined
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  async call<Request, Response>(method: RpcMethod<Request, Response>): Promise<RpcResponse<Response>> {
    calls.push(`${method.name} ${this.#port}`)
    const node = nodes.get(this.#port)
    if (node === 'gone') throw new RpcError('CONNECTION_CLOSED', 'reset')
    const answers: Record<string, unknown> = {
      GetClusterId: { clusterId: 'the-id' },
      GetActiveMaster: { serverName: message(MASTER) },
      GetMetaRegionLocations: {
        metaLocations: [
          { regionInfo: { replicaId: 1 }, serverName: message(MASTER) },
          { regionInfo: { replicaId: 0 }, serverName: message(META) },
        ],
      },
      GetBootstrapNodes: { serverName: (node?.next ?? []).map((port) => ({ hostName: '127.0.0.1', port })) },
    }
    return { message: answers[method.name] as Response, cells: CellBlock.EMPTY, cellCount: 0 }
  }

  beforeSending(work: () => void): void {
    setImmediate(work)
  }

  onClose(): void {
    // It never closes.
  }

  close(): void {
    // Nothing is open.
  }
}

function setNode<Desc extends DescMessage>(name: string, schema: Desc, value: MessageInitShape<Desc>): void {
  const id = Buffer.from('ff0000000c6d61737465723a3132333435', 'hex')
  const bytes = toBinary(schema, create(schema, value))
  zookeeper.nodes.set(`/hbase/${name}`, Buffer.concat([id, Buffer.from('PBUF'), bytes]))
}

describe('the registry in ZooKeeper', () => {
  beforeEach(() => {
    setNode('hbaseid', ClusterIdSchema, { clusterId: 'the-id' })
    setNode('master', MasterSchema, { master: message(MASTER) })
    setNode('meta-region-server', MetaRegionServerSchema, { server: message(META) })
  })

  test.each<RegistryKind>(['zookeeper', 'either'])('is read from its nodes, found as %s', async (kind) => {
    const registry = open(kind, [zookeeper.address])
    expect(await registry.clusterId()).toBe('the-id')
    expect(await registry.activeMaster()).toEqual(MASTER)
    expect((await registry.metaLocation()).server).toEqual(META)
    expect((await registry.metaLocation()).copies).toEqual([])
    setNode('meta-region-server-2', MetaRegionServerSchema, { server: message(META) })
    setNode('meta-region-server-1', MetaRegionServerSchema, { server: message(MASTER) })
    expect((await registry.metaLocation()).copies).toEqual([
      { replica: 1, server: MASTER },
      { replica: 2, server: META },
    ])
  })

  test('has no master for a moment', async () => {
    zookeeper.nodes.delete('/hbase/master')
    const registry = open('zookeeper', [zookeeper.address])
    await expect(registry.activeMaster()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('ZooKeeper has no znode /hbase/master'),
    })
    setNode('master', MasterSchema, { master: message(MASTER) })
    expect(await registry.activeMaster()).toEqual(MASTER)
  })

  test('cannot hold anything else', async () => {
    zookeeper.nodes.set('/hbase/master', Buffer.from('hello'))
    const registry = open('zookeeper', [zookeeper.address])
    await expect(registry.activeMaster()).rejects.toMatchObject({ code: 'CORRUPTION' })
  })
})

describe('the registry of the cluster’s servers', () => {
  test('answers with all that is asked', async () => {
    const registry = open('bootstrap', [at(1)])
    expect(await registry.clusterId()).toBe('the-id')
    expect(await registry.activeMaster()).toEqual(MASTER)
    expect((await registry.metaLocation()).server).toEqual(META)
    expect((await registry.metaLocation()).copies).toEqual([{ replica: 1, server: MASTER }])
  })

  test('is any of them that answers', async () => {
    nodes.set(1, 'gone')
    const registry = open('bootstrap', [at(1), at(2)])
    expect(await registry.clusterId()).toBe('the-id')
    nodes.set(2, 'gone')
    await expect(registry.clusterId()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'None of 2 servers answers: reset',
    })
  })

  test('names other servers, now and then', async () => {
    nodes.set(1, { next: [7, 8] })
    const registry = open('bootstrap', [at(1)])
    await registry.clusterId()
    await settled()
    nodes.set(7, 'gone')
    await registry.clusterId()
    expect(calls).toEqual(['GetClusterId 1', 'GetBootstrapNodes 1', 'GetClusterId 8'])
    await time.advance(300_000)
    nodes.set(8, { next: [9] })
    await registry.clusterId()
    await settled()
    await registry.clusterId()
    expect(calls.slice(3)).toEqual(['GetClusterId 8', 'GetBootstrapNodes 8', 'GetClusterId 9'])
  })

  test('is recognised by its answer to a client of ZooKeeper', async () => {
    const registry = open('either', [answering(COMPLAINT)])
    expect(await registry.clusterId()).toBe('the-id')
  })
})

describe('a cluster whose address does not name the kind of its servers', () => {
  test.each([
    [
      'something else',
      Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'is neither a ZooKeeper nor a server of HBase',
    ],
    ['nothing', undefined, 'closes the connection without an answer'],
  ])('is not there where %s answers', async (_, bytes, message) => {
    const registry = open('either', [answering(bytes)])
    await expect(registry.clusterId()).rejects.toThrow(message)
    await expect(registry.clusterId()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  test('is found once one of its servers is there', async () => {
    const { address } = zookeeper
    await zookeeper.stop()
    const gone = open('either', [address])
    await expect(gone.clusterId()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const registry = open('either', [address, answering(COMPLAINT)])
    expect(await registry.clusterId()).toBe('the-id')
  })
})
