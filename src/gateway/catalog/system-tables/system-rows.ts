/** The rows of hbase:meta and hbase:namespace, made from the catalog. HBase: RegionStateStore, MetaTableAccessor. */

import { create, toBinary } from '@bufbuild/protobuf'
import { EMPTY } from '../../../model/bytes.ts'
import { CellType } from '../../../model/cell.ts'
import type { NamespaceDescriptor } from '../../../model/descriptor.ts'
import { META_REGION } from '../../../model/meta-table.ts'
import { regionName, replicaSuffix } from '../../../model/region-name.ts'
import type { ServerName } from '../../../model/server-name.ts'
import { NAMESPACE_TABLE } from '../../../model/shown-tables.ts'
import { namespaceOf, qualifierOf, type TableName } from '../../../model/table-name.ts'
import type { StoredCell, StoredRow } from '../../../query/stored-cell.ts'
import type { TableState } from '../../../store/catalog.ts'
import { NamespaceDescriptorSchema, RegionInfoSchema } from '../../../wire/rpc/gen/hbase_pb.ts'
import { PROTOBUF_MAGIC } from '../../../wire/rpc/protobuf-magic.ts'
import type { AdvertisedRegion } from '../advertised.ts'
import { isOpen } from '../replicas.ts'

const INFO = Buffer.from('info')
const TABLE = Buffer.from('table')

/** The stored form of HBase's TableState: protobuf field 1, ENABLED 0 or DISABLED 1. */
const STATE_BYTES: Readonly<Record<TableState, Buffer>> = {
  ENABLED: Buffer.from([0x08, 0]),
  DISABLED: Buffer.from([0x08, 1]),
}

/** The sequence number of a region that HBase has never split or merged. */
const OPEN_SEQUENCE_NUMBER = 2n

/** The region of hbase:meta or hbase:namespace itself, on the gateway's server. */
export function systemRegion(table: TableName, server: ServerName): AdvertisedRegion {
  if (table !== NAMESPACE_TABLE) return { ...META_REGION, server }
  const regionId = server.startCode
  return { table, startKey: EMPTY, endKey: EMPTY, regionId, ...regionName(table, EMPTY, regionId), server }
}

/** The row with the state of a table, which is made from its first region. */
export function tableRow({ table, regionId }: AdvertisedRegion, state: TableState): StoredRow {
  const key = Buffer.from(table)
  const at = cellsAt(key, TABLE, BigInt(regionId))
  return { key, cells: [at('state', STATE_BYTES[state])] }
}

/** The row of a region. `replication`: the number of its copies, with itself; copies are columns of the row. HBase: CatalogFamilyFormat. */
export function regionRow(region: AdvertisedRegion, state: TableState, replication: number): StoredRow {
  const { name: key, regionId, server } = region
  const at = cellsAt(key, INFO, BigInt(regionId))
  const values: readonly (readonly [string, Buffer])[] = [
    ['seqnumDuringOpen', int64(OPEN_SEQUENCE_NUMBER)],
    ['server', Buffer.from(`${server.host}:${server.port}`)],
    ['serverstartcode', int64(BigInt(server.startCode))],
    ['sn', Buffer.from(`${server.host},${server.port},${server.startCode}`)],
  ]
  const numbers = Array.from({ length: replication }, (_, replica) => replica)
  const ofServers = values.flatMap(([name, value]) =>
    numbers.map((replica) => at(name + replicaSuffix(replica), value)),
  )
  const states = numbers.map((replica) => {
    const isServed = state === 'ENABLED' && isOpen({ replica, first: region })
    return at(`state${replicaSuffix(replica)}`, Buffer.from(isServed ? 'OPEN' : 'CLOSED'))
  })
  return { key, cells: [at('regioninfo', regionInfoBytes(region)), ...ofServers, ...states] }
}

function regionInfoBytes({ table, startKey, endKey, regionId }: AdvertisedRegion): Buffer {
  const message = create(RegionInfoSchema, {
    regionId: BigInt(regionId),
    tableName: { namespace: Buffer.from(namespaceOf(table)), qualifier: Buffer.from(qualifierOf(table)) },
    startKey,
    endKey,
    offline: false,
    split: false,
    replicaId: 0,
  })
  return Buffer.concat([PROTOBUF_MAGIC, toBinary(RegionInfoSchema, message)])
}

/** The rows of hbase:namespace: one for each namespace. */
export function namespaceRows(
  namespaces: readonly NamespaceDescriptor[],
  { startCode }: ServerName,
): StoredRow[] {
  return namespaces.map(({ name, properties }) => {
    const message = create(NamespaceDescriptorSchema, {
      name: Buffer.from(name),
      configuration: [...properties].map(([key, value]) => ({ name: key, value })),
    })
    const key = Buffer.from(name)
    const at = cellsAt(key, INFO, BigInt(startCode))
    return { key, cells: [at('d', Buffer.from(toBinary(NamespaceDescriptorSchema, message)))] }
  })
}

function cellsAt(
  row: Buffer,
  family: Buffer,
  timestamp: bigint,
): (name: string, value: Buffer) => StoredCell {
  return (name, value) => ({
    row,
    family,
    qualifier: Buffer.from(name),
    timestamp,
    type: CellType.Put,
    value,
    ttlMs: undefined,
  })
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}
