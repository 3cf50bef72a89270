/** Families and attributes as HBase's master sends them, and as a table's folder has them. HBase: ProtobufUtil.toColumnFamilyDescriptor. */

import { type FamilyDescriptor, familyDescriptor } from '../../model/descriptor.ts'
import { losslessText } from '../../model/lossless-text.ts'
import type { BytesBytesPair, ColumnFamilySchema, NameStringPair } from './gen/hbase_pb.ts'

export function familyFromMessage({ name, attributes, configuration }: ColumnFamilySchema): FamilyDescriptor {
  const settings = new Map(configuration.map((pair) => [pair.name, pair.value]))
  return familyDescriptor(Buffer.from(name), attributesFromMessage(attributes, []), settings)
}

export function attributesFromMessage(
  pairs: readonly BytesBytesPair[],
  configuration: readonly NameStringPair[],
): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const { first, second } of pairs) {
    attributes.set(losslessText(Buffer.from(first)), losslessText(Buffer.from(second)))
  }
  for (const { name, value } of configuration) attributes.set(name, value)
  return attributes
}
