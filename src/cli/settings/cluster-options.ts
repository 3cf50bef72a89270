/** A real cluster as the store: `--store hbase:...`, and the keys of hbase-site.xml that its clients read. */

import { InvalidArgumentError } from 'commander'
import {
  type ClusterAddress,
  DEFAULT_ZNODE_PARENT,
  type RegistryKind,
  type ServerAddress,
} from '../../../adapters/hbase/config/cluster-address.ts'
import { DEFAULT_HBASE_OPTIONS, type HBaseOptions } from '../../../adapters/hbase/config/hbase-options.ts'
import type { ZooKeeperLoginOptions } from '../../../adapters/hbase/config/zookeeper-login.ts'
import type { UserPassing } from '../../../adapters/hbase/connections/passed-user.ts'
import { messageOf } from '../../model/message-of.ts'
import { UsageError } from '../failures/usage-error.ts'
import { CLUSTER_TLS_KEYS, type ClusterTlsOptions, clusterTls } from './cluster-tls-options.ts'
import type { ClusterKerberosSpec } from './kerberos-cluster-options.ts'
import { ZOOKEEPER_LOGIN_KEYS, zookeeperLogin } from './zookeeper-login-options.ts'

export interface ClusterStoreSpec {
  readonly kind: 'hbase'
  /** No servers: the config file names them. */
  readonly cluster: ClusterAddress
  readonly options: HBaseOptions
  /** Undefined: connections to HBase's servers are not encrypted. */
  readonly tls?: ClusterTlsOptions | undefined
  /** How the login by Kerberos logs in to ZooKeeper, too; undefined: as DEFAULT_ZOOKEEPER_LOGIN says. */
  readonly zookeeperLogin?: ZooKeeperLoginOptions | undefined
  /** Undefined: the cluster sees Tidegate's own user only. */
  readonly passing?: UserPassing | undefined
  /** Undefined: the cluster asks for no Kerberos. */
  readonly kerberos?: ClusterKerberosSpec | undefined
}

const PREFIX = 'hbase'
const QUORUM_KEY = 'hbase.zookeeper.quorum'
/** The newer key first. */
const BOOTSTRAP_KEYS = ['hbase.client.bootstrap.servers', 'hbase.masters'] as const
const CLIENT_PORT_KEY = 'hbase.zookeeper.property.clientPort'
const ZNODE_KEY = 'zookeeper.znode.parent'
const REGISTRY_KEY = 'hbase.client.registry.impl'
const COMPRESSOR_KEY = 'hbase.client.rpc.compressor'
const ZOOKEEPER_PORT = 2181
/** HBase: HConstants.DEFAULT_MASTER_PORT, for bootstrap servers without a port. */
const MASTER_PORT = 16000

const REGISTRY_OF: Readonly<Record<string, RegistryKind>> = {
  'org.apache.hadoop.hbase.client.ZKConnectionRegistry': 'zookeeper',
  'org.apache.hadoop.hbase.client.RpcConnectionRegistry': 'bootstrap',
  'org.apache.hadoop.hbase.client.MasterRegistry': 'bootstrap',
}

type NumberOption = {
  [K in keyof HBaseOptions]: HBaseOptions[K] extends number ? K : never
}[keyof HBaseOptions]

/** The key of each option, and its least value. */
const KEY_OF: Readonly<Record<NumberOption, readonly [key: string, min: number]>> = {
  retriesMax: ['hbase.client.retries.number', 0],
  pauseMs: ['hbase.client.pause', 1],
  overloadedPauseMs: ['hbase.client.pause.server.overloaded', 1],
  operationTimeoutMs: ['hbase.client.operation.timeout', 1],
  rpcTimeoutMs: ['hbase.rpc.timeout', 1],
  primaryGetMicros: ['hbase.client.primaryCallTimeout.get', 0],
  primaryScanMicros: ['hbase.client.replicaCallTimeout.scan', 0],
  scannerTimeoutMs: ['hbase.client.scanner.timeout.period', 1],
  scannerCachingRows: ['hbase.client.scanner.caching', 1],
  scannerResultBytesMax: ['hbase.client.scanner.max.result.size', 1],
  connectTimeoutMs: ['hbase.ipc.client.socket.timeout.connect', 1],
  zookeeperSessionTimeoutMs: ['zookeeper.session.timeout', 1],
}

export const CLUSTER_KEYS: readonly string[] = [
  QUORUM_KEY,
  ...BOOTSTRAP_KEYS,
  CLIENT_PORT_KEY,
  ZNODE_KEY,
  REGISTRY_KEY,
  COMPRESSOR_KEY,
  ...CLUSTER_TLS_KEYS,
  ...ZOOKEEPER_LOGIN_KEYS,
  ...Object.values(KEY_OF).map(([key]) => key),
]

export function isClusterStore(text: string): boolean {
  return text === PREFIX || text.startsWith(`${PREFIX}:`)
}

/** `hbase:HOST:PORT[,HOST:PORT...][/ZNODE]`, or `hbase`. Throws InvalidArgumentError. */
export function parseClusterStore(text: string): ClusterStoreSpec {
  const address = text.slice(PREFIX.length + 1)
  const slash = address.indexOf('/')
  const list = slash < 0 ? address : address.slice(0, slash)
  if (slash >= 0 && list.length === 0) throw new InvalidArgumentError('A ZNODE belongs to servers.')
  return {
    kind: 'hbase',
    cluster: {
      // Only a ZooKeeper has nodes. Without a node, the server's answer shows whether it is a ZooKeeper.
      registry: slash < 0 ? 'either' : 'zookeeper',
      servers: list.length === 0 ? [] : parseServers(list, undefined),
      znodeParent: slash < 0 ? DEFAULT_ZNODE_PARENT : checkZnode(address.slice(slash)),
    },
    options: DEFAULT_HBASE_OPTIONS,
  }
}

/** Adds the config file's properties to a `--store`. Throws UsageError. */
export function clusterOptions(
  spec: ClusterStoreSpec,
  properties: ReadonlyMap<string, string>,
): ClusterStoreSpec {
  const options: Partial<Record<NumberOption, number>> = {}
  for (const name of Object.keys(KEY_OF) as NumberOption[]) {
    const [key, min] = KEY_OF[name]
    const value = readProperty(properties, key, (text) => parseNumber(text, min))
    if (value !== undefined) options[name] = value
  }
  const compressorClass = valueOf(properties, COMPRESSOR_KEY) ?? ''
  return {
    kind: 'hbase',
    cluster: clusterOf(spec.cluster, properties),
    options: { ...DEFAULT_HBASE_OPTIONS, compressorClass, ...options },
    tls: clusterTls(properties),
    zookeeperLogin: zookeeperLogin(properties),
  }
}

function clusterOf(named: ClusterAddress, properties: ReadonlyMap<string, string>): ClusterAddress {
  const znodeParent = znodeOf(named, properties)
  if (named.servers.length > 0) return { ...named, znodeParent }
  const bootstrapKey = BOOTSTRAP_KEYS.find((key) => valueOf(properties, key) !== undefined)
  const hasQuorum = valueOf(properties, QUORUM_KEY) !== undefined
  const registry = registryOf(properties, bootstrapKey !== undefined && !hasQuorum)
  if (registry === 'bootstrap') {
    if (bootstrapKey === undefined) throw new UsageError(`the config file has no ${BOOTSTRAP_KEYS[0]}`)
    return { registry, servers: serversOf(properties, bootstrapKey, MASTER_PORT), znodeParent }
  }
  if (!hasQuorum) {
    throw new UsageError(`--store hbase needs a --config with ${QUORUM_KEY} or ${BOOTSTRAP_KEYS[0]}`)
  }
  const clientPort = readProperty(properties, CLIENT_PORT_KEY, parsePort) ?? ZOOKEEPER_PORT
  return { registry, servers: serversOf(properties, QUORUM_KEY, clientPort), znodeParent }
}

/** The registry that Java clients choose: ZooKeeper, unless the file names another registry, or bootstrap servers and no ZooKeeper. */
function registryOf(properties: ReadonlyMap<string, string>, onlyBootstrap: boolean): RegistryKind {
  const named = readProperty(properties, REGISTRY_KEY, parseRegistry)
  return named ?? (onlyBootstrap ? 'bootstrap' : 'zookeeper')
}

function parseRegistry(javaClass: string): RegistryKind {
  const registry = REGISTRY_OF[javaClass]
  if (registry !== undefined) return registry
  throw new InvalidArgumentError(`"${javaClass}" is none of ${Object.keys(REGISTRY_OF).join(', ')}.`)
}

/** The node that `--store` names, else the file's. */
function znodeOf(named: ClusterAddress, properties: ReadonlyMap<string, string>): string {
  if (named.registry === 'zookeeper') return named.znodeParent
  return readProperty(properties, ZNODE_KEY, checkZnode) ?? named.znodeParent
}

function serversOf(properties: ReadonlyMap<string, string>, key: string, port: number): ServerAddress[] {
  return readProperty(properties, key, (list) => parseServers(list, port)) ?? []
}

/** Undefined where the file lacks the property. Throws UsageError with the key. */
function readProperty<T>(
  properties: ReadonlyMap<string, string>,
  key: string,
  parse: (text: string) => T,
): T | undefined {
  const text = valueOf(properties, key)
  if (text === undefined) return undefined
  try {
    return parse(text)
  } catch (error) {
    throw new UsageError(`${key}: ${messageOf(error)}`, key)
  }
}

/** Java: Configuration takes an empty value for none. */
function valueOf(properties: ReadonlyMap<string, string>, key: string): string | undefined {
  const value = properties.get(key)
  return value === '' ? undefined : value
}

function parseNumber(text: string, min: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= 0x7fffffff) return value
  throw new InvalidArgumentError(`"${text}" is not a whole number from ${min} to 2147483647.`)
}

function parseServers(list: string, defaultPort: number | undefined): ServerAddress[] {
  return list.split(',').map((text) => parseServer(text.trim(), defaultPort))
}

function parseServer(text: string, defaultPort: number | undefined): ServerAddress {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(text)
  if (match === null) throw new InvalidArgumentError(`"${text}" is not HOST:PORT.`)
  const port = match[3] === undefined ? defaultPort : parsePort(match[3])
  if (port === undefined) throw new InvalidArgumentError(`"${text}" has no port.`)
  return { host: match[1] ?? match[2]!, port }
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 1 && port <= 65535) return port
  throw new InvalidArgumentError(`"${text}" is not a port.`)
}

function checkZnode(path: string): string {
  if (/^(\/[^/\s]+)+$/.test(path)) return path
  throw new InvalidArgumentError(`"${path}" is not a path such as /hbase.`)
}
