/** The znodes that HBase 2.6 keeps, below one parent, for a cluster whose only server is this one. */

import type { NamespaceDescriptor } from '../../../model/descriptor.ts'
import { HBASE_VERSION } from '../../../model/hbase-version.ts'
import type { ServerName } from '../../../model/server-name.ts'
import type { TableName } from '../../../model/table-name.ts'
import { RegionState_State } from '../../../wire/rpc/gen/cluster-status_pb.ts'
import { NamespaceDescriptorSchema, RegionServerInfoSchema } from '../../../wire/rpc/gen/hbase_pb.ts'
import { ClusterIdSchema } from '../../../wire/rpc/gen/registry_pb.ts'
import {
  type ReplicationPeerDescription,
  ReplicationPeerSchema,
  ReplicationStateSchema,
} from '../../../wire/rpc/gen/replication_pb.ts'
import { ClusterUpSchema, MasterSchema, MetaRegionServerSchema } from '../../../wire/rpc/gen/zookeeper_pb.ts'
import type { ZnodeTree } from './znode-tree.ts'
import { protobufOf, withMagic, znodeValue } from './znode-value.ts'

/** The sessions of HBase's servers, which own the ephemeral nodes. */
export interface OwnSessions {
  readonly master: bigint
  readonly regionServer: bigint
}

export interface HBaseZnodesOptions {
  /** Path of the parent. HBase: zookeeper.znode.parent. */
  readonly parent: string
  readonly server: ServerName
  /** Returns the port of the status page; 0 where there is none. */
  readonly infoPort: () => number
  readonly sessions: OwnSessions
}

/** Nodes without data. Only those of procedures have children, for their stages. */
const EMPTY_NODES = [
  'rs',
  'draining',
  'table',
  'splitWAL',
  'backup-masters',
  'master-maintenance',
  ...['flush-table-proc', 'online-snapshot'].flatMap((procedure) => [
    procedure,
    `${procedure}/acquired`,
    `${procedure}/reached`,
    `${procedure}/abort`,
  ]),
  'namespace',
]

/** Required fields of VersionInfo, with the values of HBase's builds that do not know them. */
const UNKNOWN_BUILD = {
  url: 'Unknown',
  revision: 'Unknown',
  user: 'Unknown',
  date: 'Unknown',
  srcChecksum: 'Unknown',
}

const [VERSION_MAJOR, VERSION_MINOR] = HBASE_VERSION.split('.').map(Number)

export class HBaseZnodes {
  readonly #tree: ZnodeTree
  readonly #options: HBaseZnodesOptions
  /** The data without its salt, by path: a comparison shows whether it changes. */
  readonly #bodies = new Map<string, Buffer>()
  /** Numbers of the copies of hbase:meta's region. */
  #metaCopies: readonly number[] = []

  /** `startedAt`: milliseconds since 1970. */
  constructor(tree: ZnodeTree, options: HBaseZnodesOptions, startedAt: number) {
    this.#tree = tree
    this.#options = options
    for (const name of EMPTY_NODES) tree.put(this.path(name), Buffer.alloc(0))
    this.#put('running', withMagic(protobufOf(ClusterUpSchema, { startDate: javaDate(startedAt) })))
  }

  /** The path of a node, by its name below the parent. */
  path(name: string): string {
    return `${this.#options.parent}/${name}`
  }

  putClusterId(clusterId: string): void {
    this.#put('hbaseid', withMagic(protobufOf(ClusterIdSchema, { clusterId })))
  }

  /** Writes the server's present ports into its nodes. Must be called before each session. */
  putServer(): void {
    const { server, sessions } = this.#options
    const { host, port, startCode } = server
    const name = { hostName: host, port, startCode: BigInt(startCode) }
    const infoPort = this.#options.infoPort()
    const master = { master: name, rpcVersion: 0, infoPort }
    this.#put('master', withMagic(protobufOf(MasterSchema, master)), sessions.master)
    for (const replica of [0, ...this.#metaCopies]) this.#putMeta(replica)
    const info = {
      infoPort,
      versionInfo: {
        version: HBASE_VERSION,
        ...UNKNOWN_BUILD,
        versionMajor: VERSION_MAJOR!,
        versionMinor: VERSION_MINOR!,
      },
    }
    const path = `rs/${host},${port},${startCode}`
    this.#put(path, withMagic(protobufOf(RegionServerInfoSchema, info)), sessions.regionServer)
  }

  /** Replaces the nodes of the copies of hbase:meta's region. HBase: ZNodePaths.getZNodeForReplica. */
  putMetaCopies(replicas: readonly number[]): void {
    for (const gone of this.#metaCopies.filter((replica) => !replicas.includes(replica))) {
      this.#bodies.delete(metaNode(gone))
      this.#tree.remove(this.path(metaNode(gone)))
    }
    this.#metaCopies = replicas
    for (const replica of replicas) this.#putMeta(replica)
  }

  /** Replaces the children of `namespace`. */
  putNamespaces(namespaces: readonly NamespaceDescriptor[]): void {
    const bodies = namespaces.map(({ name, properties }) => {
      const configuration = [...properties].map(([key, value]) => ({ name: key, value }))
      // HBase writes namespaces without the magic PBUF.
      return [
        name,
        protobufOf(NamespaceDescriptorSchema, { name: Buffer.from(name), configuration }),
      ] as const
    })
    this.#putChildren('namespace', new Map(bodies))
  }

  /** Replaces the children of `table`. Each has the protobuf of its table's state. Clients of HBase 1 read them. */
  putTables(states: ReadonlyMap<TableName, Buffer>): void {
    this.#putChildren('table', new Map([...states].map(([name, state]) => [name, withMagic(state)])))
  }

  /** Replaces the children of `replication/peers`. A cluster that never had a peer has no such node. HBase: ZKReplicationPeerStorage. */
  putPeers(peers: readonly ReplicationPeerDescription[]): void {
    const root = 'replication/peers'
    const known = this.#tree.children(this.path(root))
    if (known === undefined && peers.length === 0) return
    for (const id of known ?? []) {
      if (peers.some((peer) => peer.id === id)) continue
      for (const name of [`${root}/${id}/peer-state`, `${root}/${id}`]) {
        this.#bodies.delete(name)
        this.#tree.remove(this.path(name))
      }
    }
    for (const { id, config, state } of peers) {
      this.#put(`${root}/${id}`, withMagic(protobufOf(ReplicationPeerSchema, config!)))
      this.#put(`${root}/${id}/peer-state`, withMagic(protobufOf(ReplicationStateSchema, state!)))
    }
  }

  #putMeta(replica: number): void {
    const { host, port, startCode } = this.#options.server
    const server = { hostName: host, port, startCode: BigInt(startCode) }
    const meta = { server, rpcVersion: 0, state: RegionState_State.OPEN }
    this.#put(metaNode(replica), withMagic(protobufOf(MetaRegionServerSchema, meta)))
  }

  #putChildren(name: string, bodies: ReadonlyMap<string, Buffer>): void {
    for (const child of this.#tree.children(this.path(name)) ?? []) {
      if (bodies.has(child)) continue
      this.#bodies.delete(`${name}/${child}`)
      this.#tree.remove(this.path(`${name}/${child}`))
    }
    for (const [child, body] of bodies) this.#put(`${name}/${child}`, body)
  }

  /** Writes a node. Does nothing where it has this body already, as its version counts changes. */
  #put(name: string, body: Buffer, owner = 0n): void {
    if (this.#bodies.get(name)?.equals(body) === true) return
    this.#bodies.set(name, body)
    const kind = name.startsWith('rs/') ? 'regionserver' : 'master'
    const value = znodeValue(`${kind}:${this.#options.server.port}`, body)
    this.#tree.put(this.path(name), value, { owner })
  }
}

function metaNode(replica: number): string {
  return replica === 0 ? 'meta-region-server' : `meta-region-server-${replica}`
}

/** The time as Java prints a Date, in UTC: `Mon Nov 23 04:57:10 UTC 2026`. */
function javaDate(time: number): string {
  const [, day, date, month, year, clock] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(
    new Date(time).toUTCString(),
  )!
  return `${day} ${month} ${date} ${clock} UTC ${year}`
}
