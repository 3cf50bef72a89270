/** A cluster, real or Tidegate, as the target of replication. HBase: HBaseInterClusterReplicationEndpoint, HBaseReplicationEndpoint. */

import { HBaseError } from '../../../src/model/errors.ts'
import type { PeerCluster, SentChange } from '../../../src/store/peer-cluster.ts'
import { AdminService } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { addressText, type ServerAddress } from '../config/cluster-address.ts'
import { ZnodeRegistry } from '../registry/znode-registry.ts'
import { failureOf } from '../retry/failure.ts'
import { storeError } from '../retry/store-error.ts'
import { connect, type RpcConnection, type RpcConnectionOptions } from '../rpc/rpc-connection.ts'
import { ZooKeeperClient } from '../zookeeper/zookeeper-client.ts'
import { readClusterKey } from './cluster-key.ts'
import { Sinks, sinkAddresses } from './sinks.ts'
import { replicateRequest } from './wal-entries.ts'

const REPLICATE = rpcMethod(AdminService.method.replicateWALEntry)
/** HBase: HConstants.REPLICATION_QOS, the class of the server's queue. */
const REPLICATION_QOS = 5
/** HBase: replication.source.shipedits.timeout, which is that of a call. */
const CALL_MS = 60_000
const CONNECT_MS = 10_000
const ZOOKEEPER_SESSION_MS = 90_000
const ZOOKEEPER_IDLE_MS = 60_000

export interface HBasePeerConfig {
  readonly clusterKey: string
  /** The user's name that the servers get. */
  readonly user: string
  /** HBase: replication.source.ratio. */
  readonly ratio: number
  /** From 0 to less than 1. */
  readonly random: () => number
  /** Replaced in tests. */
  readonly connect?: (options: RpcConnectionOptions) => Promise<RpcConnection>
}

/** Connects on first use. Throws DO_NOT_RETRY for a key that is none. */
export function openHBasePeer(config: HBasePeerConfig): PeerCluster {
  return new HBasePeer(config)
}

class HBasePeer implements PeerCluster {
  readonly #config: HBasePeerConfig
  readonly #zookeeper: ZooKeeperClient
  readonly #registry: ZnodeRegistry
  readonly #sinks: Sinks
  readonly #connections = new Map<string, RpcConnection>()

  constructor(config: HBasePeerConfig) {
    this.#config = config
    const { clusterKey, ratio, random } = config
    const { servers, znodeParent } = readClusterKey(clusterKey)
    this.#zookeeper = new ZooKeeperClient({
      servers,
      chroot: znodeParent,
      sessionTimeoutMs: ZOOKEEPER_SESSION_MS,
      connectTimeoutMs: CONNECT_MS,
      requestTimeoutMs: CONNECT_MS,
      idleMs: ZOOKEEPER_IDLE_MS,
      random,
    })
    this.#registry = new ZnodeRegistry(this.#zookeeper, znodeParent)
    this.#sinks = new Sinks({ servers: () => this.#regionServers(), ratio, random })
  }

  clusterId(signal: AbortSignal): Promise<string> {
    return untilAborted(this.#registry.clusterId(), signal)
  }

  async ship(changes: readonly SentChange[], signal: AbortSignal): Promise<void> {
    const server = await untilAborted(this.#sinks.next(), signal)
    if (server === undefined)
      throw new HBaseError('UNAVAILABLE', `${this.#config.clusterKey} has no region server`)
    try {
      const connection = await this.#connected(server, signal)
      await connection.call(REPLICATE, replicateRequest(changes), {
        cells: changes.map(({ cells }) => cells),
        timeoutMs: CALL_MS,
        priority: REPLICATION_QOS,
        signal,
      })
      this.#sinks.answered(server)
    } catch (error) {
      // A refusal is the answer of a server that is well.
      if (failureOf(error).kind === 'final') this.#sinks.answered(server)
      else this.#sinks.failed(server)
      throw storeError(error)
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values()) connection.close()
    await this.#registry.close()
  }

  async #connected(server: ServerAddress, signal: AbortSignal): Promise<RpcConnection> {
    const key = addressText(server)
    const known = this.#connections.get(key)
    if (known !== undefined && known.closedBy === undefined) return known
    const { user, connect: open = connect } = this.#config
    const { host, port } = server
    const limits = { connectTimeoutMs: CONNECT_MS, callTimeoutMs: CALL_MS }
    const connection = await open({
      host,
      port,
      service: 'AdminService',
      user,
      withTags: true,
      limits,
      signal,
    })
    this.#connections.set(key, connection)
    return connection
  }

  async #regionServers(): Promise<ServerAddress[]> {
    const names = (await this.#zookeeper.getChildren('/rs')) ?? []
    return sinkAddresses(names)
  }
}

/** Rejects as soon as the signal aborts: the question goes on, and its answer counts for nothing. */
function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new HBaseError('CALLER_GONE', 'the server stops'))
    if (signal.aborted) gone()
    else signal.addEventListener('abort', gone, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', gone))
  })
}
