/** The description of a stateful scanner as clients send it: protobuf, whose rows and columns may have any bytes. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { ScannerSpec } from './scanner-spec.ts'

type Sent = Omit<ScannerSpec, 'filterForm' | 'fault'>

/** `filter` is JSON. */
export function encodeScanner(spec: Sent): Buffer {
  const writer = new BinaryWriter()
  // PERSISTED: never renumber. Field numbers of idl/rest.proto.
  if (spec.startRow.length > 0) writer.tag(1, WireType.LengthDelimited).bytes(spec.startRow)
  if (spec.endRow.length > 0) writer.tag(2, WireType.LengthDelimited).bytes(spec.endRow)
  for (const column of spec.columns) writer.tag(3, WireType.LengthDelimited).bytes(column)
  writer.tag(4, WireType.Varint).int32(spec.batch)
  writer.tag(5, WireType.Varint).int64(spec.startTime)
  writer.tag(6, WireType.Varint).int64(spec.endTime)
  writer.tag(7, WireType.Varint).int32(spec.maxVersions)
  if (spec.filter !== '') writer.tag(8, WireType.LengthDelimited).string(spec.filter)
  if (spec.caching > 0) writer.tag(9, WireType.Varint).int32(spec.caching)
  for (const label of spec.labels) writer.tag(10, WireType.LengthDelimited).string(label)
  writer.tag(11, WireType.Varint).bool(spec.cacheBlocks)
  return Buffer.from(writer.finish())
}
