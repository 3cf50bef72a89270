/**
 * How HBase names regions: `table,startKey,regionId.encoded.`, where `encoded` is the MD5 of what stands before it, in
 * hexadecimal. HBase: RegionInfo.createRegionName, encodeRegionName.
 */

import { createHash } from 'node:crypto'
import type { TableName } from './table-name.ts'

const COMMA = 0x2c

export interface RegionName {
  /** Bytes, since the start key may be any. */
  readonly name: Buffer
  readonly encodedName: string
}

/** `regionId` is the time of the region's making, in milliseconds since 1970. */
export function regionName(table: TableName, startKey: Buffer, regionId: number): RegionName {
  const named = Buffer.concat([Buffer.from(`${table},`), startKey, Buffer.from(`,${regionId}`)])
  const encodedName = createHash('md5').update(named).digest('hex')
  return { name: Buffer.concat([named, Buffer.from(`.${encodedName}.`)]), encodedName }
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
