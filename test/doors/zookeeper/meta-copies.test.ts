import { expect, test } from 'vitest'
import { ZnodeRegistry } from '../../../adapters/hbase/registry/znode-registry.ts'
import { ZooKeeperClient } from '../../../adapters/hbase/zookeeper/zookeeper-client.ts'
import { HBaseZnodes } from '../../../src/doors/zookeeper/tree/hbase-znodes.ts'
import { ZnodeTree } from '../../../src/doors/zookeeper/tree/znode-tree.ts'
import { META_TABLE } from '../../../src/model/meta-table.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { EVENT_TYPE, OP_CODE } from '../../../src/wire/zookeeper/codes.ts'
import { withCopiedMeta } from '../copied-meta.ts'
import { RawClient, SERVER, startServer } from './zookeeper-server.ts'

test('a cluster’s copies of hbase:meta have nodes, as long as it has them', async () => {
  let numbers: readonly number[] = [1, 2]
  let time = 1_700_000_000_000
  const over = (store: Parameters<typeof withCopiedMeta>[0]) => withCopiedMeta(store, () => numbers)
  const server = await startServer({ over, now: () => time })
  const client = new ZooKeeperClient({
    servers: [{ host: '127.0.0.1', port: server.door.port }],
    tls: undefined,
    chroot: '/hbase',
    sessionTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    idleMs: 10_000,
    random: () => 0,
  })
  const registry = new ZnodeRegistry(client, '/hbase')
  try {
    expect((await registry.metaLocation()).server).toEqual(SERVER)
    expect((await registry.metaLocation()).copies).toEqual(
      [1, 2].map((replica) => ({ replica, server: SERVER })),
    )
    numbers = [2]
    expect((await registry.metaLocation()).copies).toHaveLength(2)
    time += 1000
    expect((await registry.metaLocation()).copies).toEqual([{ replica: 2, server: SERVER }])
    expect(await client.getData('/meta-region-server-1')).toBeUndefined()
  } finally {
    await registry.close()
    await server.stop()
  }
})

test('copies of hbase:meta of our own have nodes once a client asks for them, and watches hear of it', async () => {
  const server = await startServer()
  const client = await RawClient.connected(server.door.port)
  const { catalog } = server.store
  const ask = async (copies: number): Promise<void> => {
    const { attributes, ...meta } = await catalog.table(META_TABLE, OWN_CALL)
    const asked = new Map([...attributes, ['REGION_REPLICATION', String(copies)]])
    await catalog.modifyTable({ ...meta, attributes: asked }, OWN_CALL)
  }
  const hasNode = async (copy: number): Promise<boolean> =>
    (await client.askPath(OP_CODE.getData, `/hbase/meta-region-server-${copy}`)).err === 0
  expect(await hasNode(1)).toBe(false)
  await client.askPath(OP_CODE.getChildren, '/hbase', true)
  await ask(3)
  expect([await hasNode(1), await hasNode(2), await hasNode(3)]).toEqual([true, true, false])
  expect(await client.events()).toMatchObject([{ type: EVENT_TYPE.nodeChildrenChanged, path: '/hbase' }])
  await ask(2)
  expect([await hasNode(1), await hasNode(2)]).toEqual([true, false])
  client.close()
  await server.stop()
})

test('the nodes of copies name the server by its present port, as that of the region does', () => {
  const tree = new ZnodeTree({ now: () => 1, onChange: () => undefined })
  const server = { host: 'h', port: 1, startCode: 2 }
  const sessions = { master: 1n, regionServer: 2n }
  const znodes = new HBaseZnodes(tree, { parent: '/hbase', server, infoPort: () => 0, sessions }, 1)
  const bodies = (): (Buffer | undefined)[] =>
    ['', '-1'].map((copy) => tree.data(`/hbase/meta-region-server${copy}`))
  znodes.putServer()
  znodes.putMetaCopies([1])
  const before = bodies()
  server.port = 77
  znodes.putServer()
  for (const [index, body] of bodies().entries()) expect(body!.equals(before[index]!)).toBe(false)
})
