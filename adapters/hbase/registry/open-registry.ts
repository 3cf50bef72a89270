import type { Introduction } from '../../../src/store/introduction.ts'
import type { ClusterAddress } from '../config/cluster-address.ts'
import type { HBaseOptions } from '../config/hbase-options.ts'
import type { ServerConnections } from '../connections/server-connections.ts'
import type { Time } from '../retry/time.ts'
import { ZooKeeperClient } from '../zookeeper/zookeeper-client.ts'
import type { ZooKeeperLogin } from '../zookeeper/zookeeper-login.ts'
import { BootstrapRegistry } from './bootstrap-registry.ts'
import type { ConnectionRegistry } from './connection-registry.ts'
import { EitherRegistry } from './either-registry.ts'
import { IntroducedRegistry } from './introduced-registry.ts'
import { type FoundRegistry, probeEither, type RegistryTls } from './registry-probe.ts'
import { ZnodeRegistry } from './znode-registry.ts'

export interface RegistryConfig {
  readonly cluster: ClusterAddress
  readonly options: Pick<HBaseOptions, 'connectTimeoutMs' | 'rpcTimeoutMs' | 'zookeeperSessionTimeoutMs'>
  readonly connections: ServerConnections
  /** Undefined: no server of the cluster encrypts. `connections` must encrypt as `rpc` says. */
  readonly tls?: RegistryTls | undefined
  /** Undefined: Tidegate has no login for the cluster's ZooKeeper. */
  readonly zookeeperLogin?: ZooKeeperLogin | undefined
  readonly time: Time
  readonly random: () => number
  /** Undefined: the servers speak the protocol that their address names. */
  readonly introduction?: Introduction | undefined
}

/** The most milliseconds for one server: after a silent server an operation still has time for others. */
const ANSWER_MS_MAX = 10_000
/** The default of HBase's own read-only client. HBase: zookeeper.keep-alive.time. */
const ZOOKEEPER_IDLE_MS = 60_000

const NO_TLS: RegistryTls = { zookeeper: undefined, rpc: undefined }

/** The registry connects on the first question. */
export function openRegistry(config: RegistryConfig): ConnectionRegistry {
  const { cluster, options, tls = NO_TLS } = config
  const timeoutMs = Math.min(options.connectTimeoutMs, options.rpcTimeoutMs, ANSWER_MS_MAX)
  const open = (kind: FoundRegistry): ConnectionRegistry =>
    kind === 'zookeeper' ? openZnodes(config, timeoutMs) : openBootstrap(config, timeoutMs)
  const registry =
    cluster.registry === 'either'
      ? new EitherRegistry(cluster.servers, (server) => probeEither(server, timeoutMs, tls), open)
      : open(cluster.registry)
  return config.introduction === undefined ? registry : new IntroducedRegistry(registry, config.introduction)
}

function openZnodes(
  { cluster, options, tls, zookeeperLogin, random }: RegistryConfig,
  timeoutMs: number,
): ConnectionRegistry {
  return new ZnodeRegistry(
    new ZooKeeperClient({
      servers: cluster.servers,
      tls: tls?.zookeeper,
      login: zookeeperLogin,
      chroot: cluster.znodeParent,
      sessionTimeoutMs: options.zookeeperSessionTimeoutMs,
      connectTimeoutMs: timeoutMs,
      requestTimeoutMs: timeoutMs,
      idleMs: ZOOKEEPER_IDLE_MS,
      random,
    }),
    cluster.znodeParent,
  )
}

function openBootstrap(
  { cluster, connections, time, random }: RegistryConfig,
  timeoutMs: number,
): ConnectionRegistry {
  return new BootstrapRegistry({ servers: cluster.servers, connections, time, random, timeoutMs })
}
