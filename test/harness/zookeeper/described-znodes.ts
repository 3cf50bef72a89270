/**
 * The znodes of an HBase as JSON, for comparisons: values are decoded, and what differs between two clusters (hosts, ports,
 * times, ids, builds) is a star.
 */

import { type DescMessage, fromBinary, type JsonValue, toJson } from '@bufbuild/protobuf'
import type { ZooKeeperClient } from '../../../adapters/hbase/zookeeper/zookeeper-client.ts'
import { NamespaceDescriptorSchema, RegionServerInfoSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { ClusterIdSchema } from '../../../src/wire/rpc/gen/registry_pb.ts'
import {
  ClusterUpSchema,
  DeprecatedTableStateSchema,
  MasterSchema,
  MetaRegionServerSchema,
} from '../../../src/wire/rpc/gen/zookeeper_pb.ts'

export interface DescribedZnode {
  readonly path: string
  readonly isEphemeral: boolean
  /** The kind of server that wrote the value, the four letters PBUF if they are there, and the message; null: no bytes. */
  readonly value: { readonly writer: string; readonly magic: string; readonly message: JsonValue } | null
}

const SCHEMAS: readonly (readonly [pattern: RegExp, schema: DescMessage])[] = [
  [/^\/hbaseid$/, ClusterIdSchema],
  [/^\/master$/, MasterSchema],
  [/^\/meta-region-server$/, MetaRegionServerSchema],
  [/^\/running$/, ClusterUpSchema],
  [/^\/rs\//, RegionServerInfoSchema],
  [/^\/namespace\//, NamespaceDescriptorSchema],
  [/^\/table\//, DeprecatedTableStateSchema],
]

const OTHER_CLUSTERS = new Set(['hostName', 'port', 'startCode', 'infoPort', 'clusterId', 'startDate'])
const OTHER_BUILDS = new Set(['url', 'revision', 'user', 'date', 'srcChecksum'])
const MAGIC = 'PBUF'

/** In order of their paths. `parent`: the parent of HBase's nodes; paths are told as if it were `/hbase`. */
export async function describedZnodes(client: ZooKeeperClient, parent: string): Promise<DescribedZnode[]> {
  const found: DescribedZnode[] = []
  const visit = async (path: string): Promise<void> => {
    const node = await client.getData(path)
    if (node === undefined) throw new Error(`${path} has gone`)
    const below = path.slice(parent.length)
    found.push({
      path: `/hbase${below.replace(/^\/rs\/.*/, '/rs/*')}`,
      isEphemeral: node.stat.ephemeralOwner !== 0n,
      value: node.data.length === 0 ? null : valueOf(below, node.data),
    })
    for (const name of (await client.getChildren(path)) ?? []) await visit(`${path}/${name}`)
  }
  await visit(parent)
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function valueOf(path: string, data: Buffer): DescribedZnode['value'] {
  const idBytes = data.readInt32BE(1)
  // Eight random bytes follow the writer.
  const writer = data.toString('utf8', 5, 5 + idBytes - 8).replace(/:\d+$/, ':*')
  const body = data.subarray(5 + idBytes)
  const magic = body.toString('latin1', 0, MAGIC.length) === MAGIC ? MAGIC : ''
  const schema = SCHEMAS.find(([pattern]) => pattern.test(path))?.[1]
  if (data[0] !== 0xff || schema === undefined) throw new Error(`${path} has a strange value`)
  const message = toJson(schema, fromBinary(schema, body.subarray(magic.length)))
  return { writer, magic, message: masked(message) }
}

function masked(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, each]) => {
    return [key, OTHER_CLUSTERS.has(key) || OTHER_BUILDS.has(key) ? '*' : masked(each)] as const
  })
  return Object.fromEntries(entries)
}
