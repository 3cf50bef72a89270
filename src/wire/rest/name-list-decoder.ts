/** Lists that clients read, as protobuf: of names, and of a table's regions. Throw CORRUPTION. */

import { EMPTY } from '../../model/bytes.ts'
import { bytesField, bytesTag, int64Field, readMessage, varintTag } from './protobuf-reader.ts'
import type { RegionInfo } from './table-info.ts'

/** The names in a TableList or Namespaces, which are alike. */
export function decodeNames(body: Buffer): string[] {
  const names: string[] = []
  readMessage(body, (tag, reader) => {
    if (tag !== bytesTag(1)) return false
    names.push(reader.string())
    return true
  })
  return names
}

/** Names of regions are text there: bytes of their start keys that are not UTF-8 are lost in them, and in `startKey` they are not. */
export function decodeTableInfo(body: Buffer): RegionInfo[] {
  const regions: RegionInfo[] = []
  readMessage(body, (tag, reader) => {
    if (tag !== bytesTag(2)) return false
    regions.push(regionOf(bytesField(reader)))
    return true
  })
  return regions
}

function regionOf(message: Buffer): RegionInfo {
  const region = { name: '', startKey: EMPTY, endKey: EMPTY, id: 0, location: '' }
  readMessage(message, (tag, reader) => {
    if (tag === bytesTag(1)) region.name = reader.string()
    else if (tag === bytesTag(2)) region.startKey = bytesField(reader)
    else if (tag === bytesTag(3)) region.endKey = bytesField(reader)
    else if (tag === varintTag(4)) region.id = Number(int64Field(reader))
    else if (tag === bytesTag(5)) region.location = reader.string()
    else return false
    return true
  })
  return region
}
