/** ZooKeeper as the registry: the active master keeps its nodes. HBase: ZKConnectionRegistry. */

import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { HBaseError } from '../../../src/model/errors.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { RegionCopy } from '../../../src/store/catalog.ts'
import { ClusterIdSchema } from '../../../src/wire/rpc/gen/registry_pb.ts'
import { MasterSchema, MetaRegionServerSchema } from '../../../src/wire/rpc/gen/zookeeper_pb.ts'
import { presentServer } from '../messages/server-name.ts'
import type { ZooKeeperClient } from '../zookeeper/zookeeper-client.ts'
import type { ConnectionRegistry, MetaLocation } from './connection-registry.ts'
import { readZnode } from './znode-value.ts'

/** Nodes of copies, which end in the copy's number. HBase: ZNodePaths.getZNodeForReplica. */
const COPY_NODE = /^meta-region-server-([1-9]\d{0,4})$/

export class ZnodeRegistry implements ConnectionRegistry {
  readonly #zookeeper: ZooKeeperClient
  readonly #parent: string

  /** The client's chroot must be `parent`, the cluster's parent znode. Messages name it. */
  constructor(zookeeper: ZooKeeperClient, parent: string) {
    this.#zookeeper = zookeeper
    this.#parent = parent
  }

  async clusterId(): Promise<string> {
    return (await this.#read('/hbaseid', ClusterIdSchema)).clusterId
  }

  async activeMaster(): Promise<ServerName> {
    return presentServer((await this.#read('/master', MasterSchema)).master, 'the master')
  }

  async metaLocation(): Promise<MetaLocation> {
    const [server, names] = await Promise.all([
      this.#metaServer('', 'hbase:meta'),
      this.#zookeeper.getChildren(''),
    ])
    const numbers = (names ?? []).flatMap((name) => COPY_NODE.exec(name)?.[1] ?? []).map(Number)
    const read = async (replica: number): Promise<RegionCopy> => ({
      replica,
      server: await this.#metaServer(`-${replica}`, 'a copy of hbase:meta'),
    })
    return { server, copies: await Promise.all(numbers.sort((a, b) => a - b).map(read)) }
  }

  async #metaServer(suffix: string, what: string): Promise<ServerName> {
    const { server } = await this.#read(`/meta-region-server${suffix}`, MetaRegionServerSchema)
    return presentServer(server, what)
  }

  async close(): Promise<void> {
    await this.#zookeeper.close()
  }

  async #read<Desc extends DescMessage>(path: string, schema: Desc): Promise<MessageShape<Desc>> {
    const node = await this.#zookeeper.getData(path)
    if (node === undefined || node.data.length === 0) {
      const parent = this.#parent === '/' ? '' : this.#parent
      throw new HBaseError(
        'UNAVAILABLE',
        `ZooKeeper has no znode ${parent}${path}: is the master up, and is ${this.#parent} its zookeeper.znode.parent?`,
      )
    }
    try {
      return fromBinary(schema, readZnode(node.data))
    } catch (error) {
      throw new HBaseError('CORRUPTION', `ZooKeeper's ${path} is not what HBase keeps there`, {
        cause: error,
      })
    }
  }
}
