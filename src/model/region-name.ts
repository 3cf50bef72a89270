/**
 * How HBase names regions: `table,startKey,regionId.encoded.`, where `encoded` is the MD5 of what stands before it, in
 * hexadecimal. HBase: RegionInfo.createRegionName, encodeRegionName.
 */

import { createHash } from 'node:crypto'
import type { TableName } from './table-name.ts'

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
