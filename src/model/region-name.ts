/**
 * How HBase names regions: `table,startKey,regionId.encoded.`, where `encoded` is the MD5 of what stands before it, in
 * hexadecimal. HBase: RegionInfo.createRegionName, encodeRegionName.
 */

import { createHash } from 'node:crypto'
import { jenkinsHash } from './jenkins-hash.ts'
import { META_REGION, META_TABLE } from './meta-table.ts'
import type { TableName } from './table-name.ts'

const COMMA = 0x2c
/** The hash and the dots around it. */
const HASH_BYTES = 34
/** An underscore and the number. */
const REPLICA_BYTES = 5

export interface RegionName {
  /** Bytes, since the start key may be any. */
  readonly name: Buffer
  readonly encodedName: string
}

/** `regionId` is the time of the region's making, in milliseconds since 1970. */
export function regionName(table: TableName, startKey: Buffer, regionId: number): RegionName {
  const named = Buffer.concat([Buffer.from(`${table},`), startKey, Buffer.from(`,${regionId}`)])
  return encoded(named)
}

function encoded(named: Buffer): RegionName {
  const encodedName = createHash('md5').update(named).digest('hex')
  return { name: Buffer.concat([named, Buffer.from(`.${encodedName}.`)]), encodedName }
}

/** The name of a region's copy, `table,startKey,regionId_000N.encoded.`, after the region's own; of hbase:meta's `hbase:meta,,1_000N`. */
export function replicaName(first: Buffer, replica: number): RegionName {
  if (first.equals(META_REGION.name)) {
    const name = Buffer.concat([first, Buffer.from(replicaSuffix(replica))])
    return { name, encodedName: String(jenkinsHash(name)) }
  }
  return encoded(Buffer.concat([first.subarray(0, -HASH_BYTES), Buffer.from(replicaSuffix(replica))]))
}

/** The number of the region's copy that has this encoded name, of the first `copies`; undefined where none has. */
export function replicaOfEncoded(first: Buffer, copies: number, encodedName: string): number | undefined {
  for (let replica = 1; replica <= copies; replica++) {
    if (replicaName(first, replica).encodedName === encodedName) return replica
  }
  return undefined
}

/** Empty for the region itself. */
export function replicaSuffix(replica: number): string {
  return replica === 0 ? '' : `_${replica.toString(16).toUpperCase().padStart(4, '0')}`
}

export interface ParsedRegionName {
  readonly table: string
  readonly encodedName: string
}

/** Undefined for a name that is not of an ordinary table's region. Checks neither the table's name nor the hash. */
export function parseRegionName(name: Buffer): ParsedRegionName | undefined {
  const [first, last] = [name.indexOf(COMMA), name.lastIndexOf(COMMA)]
  // The start key may have any bytes in it, commas too.
  const match = /^\d+\.([0-9a-f]{32})\.$/.exec(name.toString('latin1', last + 1))
  if (match === null || first === last) return undefined
  return { table: name.toString('utf8', 0, first), encodedName: match[1]! }
}

/** The table of a region or of a copy of one, hbase:meta's too; otherwise undefined as parseRegionName. */
export function tableOfRegion(name: Buffer): string | undefined {
  const { table } = parseRegionName(parseReplicaName(name)?.first.name ?? name) ?? {}
  return table ?? (name.indexOf(`${META_TABLE},`) === 0 ? META_TABLE : undefined)
}

export interface ParsedReplicaName {
  readonly replica: number
  /** The region that it is a copy of. */
  readonly first: RegionName
}

/** The name of a copy of hbase:meta, as RegionInfo.getRegionName of clients since 2.3 makes it, with the encoded name behind it. */
const META_COPY = /^hbase:meta,,1_([0-9A-F]{4})(?:\.\d{1,10})?$/

/** Undefined for a name that is not of a copy of a region, also where its hash is not of it. */
export function parseReplicaName(name: Buffer): ParsedReplicaName | undefined {
  const last = name.lastIndexOf(COMMA)
  const [, ofMeta] = META_COPY.exec(name.toString('latin1')) ?? []
  if (ofMeta !== undefined && ofMeta !== '0000')
    return { replica: Number.parseInt(ofMeta, 16), first: META_REGION }
  const match = /^\d+_([0-9A-F]{4})\.[0-9a-f]{32}\.$/.exec(name.toString('latin1', last + 1))
  if (match === null) return undefined
  const replica = Number.parseInt(match[1]!, 16)
  const ofFirst = name.subarray(0, name.length - HASH_BYTES - REPLICA_BYTES)
  const first = encoded(ofFirst)
  return replica > 0 && replicaName(first.name, replica).name.equals(name) ? { replica, first } : undefined
}
