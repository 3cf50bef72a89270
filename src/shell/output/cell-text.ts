/** Cells as HBase's shell prints them, and the rows of hbase:meta, whose values are messages. */

import { fromBinary } from '@bufbuild/protobuf'
import { toStringBinary } from '../../model/bytes.ts'
import type { CellParts } from '../../model/cell.ts'
import { META_REGION, META_TABLE } from '../../model/meta-table.ts'
import { regionName } from '../../model/region-name.ts'
import type { TableName } from '../../model/table-name.ts'
import { type RegionInfo, RegionInfoSchema } from '../../wire/rpc/gen/hbase_pb.ts'
import { stripMagic } from '../../wire/rpc/protobuf-magic.ts'
import { tableNameFromMessage } from '../../wire/rpc/table-name-message.ts'
import type { Converters } from './columns.ts'
import { localDateTime } from './timestamp-text.ts'

const DELETE_NAMES: ReadonlyMap<number, string> = new Map([
  [8, 'Delete'],
  [10, 'DeleteFamilyVersion'],
  [12, 'DeleteColumn'],
  [14, 'DeleteFamily'],
])

/** `timestamp=..., value=...`, cut to `lengthMax` characters; -1: not cut. */
export function cellText(
  table: TableName,
  cell: CellParts,
  converters: Converters,
  lengthMax: number,
): string {
  const time = `timestamp=${localDateTime(cell.timestamp)}`
  const ofMeta = table === META_TABLE ? metaValue(cell) : undefined
  if (ofMeta !== undefined) return `${time}, value=${ofMeta}`
  const deleted = DELETE_NAMES.get(cell.type)
  const text =
    deleted === undefined
      ? `${time}, value=${converters.value(cell.family, cell.qualifier, cell.value, lengthMax)}`
      : `${time}, type=${deleted}`
  return lengthMax === -1 ? text : text.slice(0, lengthMax)
}

/** The value of a column of hbase:meta that is binary; undefined for other columns. */
function metaValue({ family, qualifier, value }: CellParts): string | undefined {
  const column = `${family.toString()}:${qualifier.toString()}`
  if (/^info:(?:regioninfo|splitA|splitB|merge.*)$/.test(column)) return regionOfMeta(value)
  if (column !== 'info:serverstartcode') return undefined
  return value.length >= 8 ? String(value.readBigInt64BE()) : toStringBinary(value)
}

/** The region in a value; empty where the value is no region. */
function regionOfMeta(value: Buffer): string {
  if (value.length === 0) return ''
  try {
    return regionOfMessage(fromBinary(RegionInfoSchema, stripMagic(value)))
  } catch {
    return ''
  }
}

function regionOfMessage({
  tableName,
  startKey,
  endKey,
  regionId,
  offline,
  split,
  replicaId,
}: RegionInfo): string {
  const table = tableNameFromMessage(tableName!)
  const start = Buffer.from(startKey ?? [])
  const named = table === META_TABLE ? META_REGION : regionName(table, start, Number(regionId))
  const state = [offline ? ', OFFLINE => true' : '', split ? ', SPLIT => true' : ''].join('')
  const replica = replicaId > 0 ? `, REPLICA_ID => ${replicaId}` : ''
  return regionText({ ...named, startKey: start, endKey: Buffer.from(endKey ?? []) }, state + replica)
}

/** A region as HBase prints it. HBase: RegionInfo.toString. */
export function regionText(
  region: {
    readonly name: Buffer
    readonly encodedName: string
    readonly startKey: Buffer
    readonly endKey: Buffer
  },
  state = '',
): string {
  const [start, end] = [toStringBinary(region.startKey), toStringBinary(region.endKey)]
  return `{ENCODED => ${region.encodedName}, NAME => '${toStringBinary(region.name)}', STARTKEY => '${start}', ENDKEY => '${end}'${state}}`
}
