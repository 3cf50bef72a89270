/** ZooKeeper as the registry: the active master keeps its nodes. HBase: ZKConnectionRegistry. */

import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { HBaseError } from '../../../src/model/errors.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import { ClusterIdSchema } from '../../../src/wire/rpc/gen/registry_pb.ts'
import { MasterSchema, MetaRegionServerSchema } from '../../../src/wire/rpc/gen/zookeeper_pb.ts'
import { presentServer } from '../cluster/server-name.ts'
import type { ZooKeeperClient } from '../zookeeper/zookeeper-client.ts'
import type { ConnectionRegistry } from './connection-registry.ts'
import { readZnode } from './znode-value.ts'

export class ZnodeRegistry implements ConnectionRegistry {
  readonly #zookeeper: ZooKeeperClient
  readonly #parent: string

  /** The client's chroot must be `parent`, the cluster's parent znode, which messages tell. */
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

  async metaServer(): Promise<ServerName> {
    const { server } = await this.#read('/meta-region-server', MetaRegionServerSchema)
    return presentServer(server, 'hbase:meta')
  }

  async close(): Promise<void> {
    await this.#zookeeper.close()
  }

  async #read<Desc extends DescMessage>(path: string, schema: Desc): Promise<MessageShape<Desc>> {
    const node = await this.#zookeeper.getData(path)
    if (node === undefined || node.data.length === 0) {
      throw new HBaseError(
        'UNAVAILABLE',
        `ZooKeeper has no ${path} below ${this.#parent}: is the master up, and is this its zookeeper.znode.parent?`,
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
