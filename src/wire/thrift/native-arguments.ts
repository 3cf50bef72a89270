/**
 * Arguments of the writing methods as a MutationBatch: no object per cell. What is not plain comes as objects, read
 * again from the same bytes.
 */

import { MutationBatch } from '../../model/mutation.ts'
import { stampCells } from '../../model/stamp-cells.ts'
import { LATEST_TIMESTAMP } from '../../model/timestamp.ts'
import { readMutations, readPut, readPuts, readRowBatches } from './mutation-reader.ts'
import type { ProtocolReader } from './protocol.ts'
import type { FieldSchema, MethodSchema } from './schema.ts'
import { structCodec, type ThriftObject, type ValueCodec, type ValueCodecs } from './value-codec.ts'

/** Undefined: it is not plain. The reader may then stand anywhere. */
type NativeRead = (reader: ProtocolReader, owner: ThriftObject) => MutationBatch | undefined

const nativeReads: ReadonlyMap<string, NativeRead> = new Map([
  ['Hbase.mutateRow.mutations', readMutations],
  ['Hbase.mutateRowTs.mutations', readMutations],
  ['Hbase.mutateRows.rowBatches', readRowBatches],
  ['Hbase.mutateRowsTs.rowBatches', readRowBatches],
  ['THBaseService.put.tput', readPut],
  ['THBaseService.putMultiple.tputs', readPuts],
])

export function nativeArguments(
  codecs: ValueCodecs,
  service: string,
  method: MethodSchema,
): (reader: ProtocolReader) => ThriftObject {
  const nativeOf = (field: FieldSchema): NativeRead | undefined =>
    nativeReads.get(`${service}.${method.name}.${field.name}`)
  const native = method.args.fields.find((field) => nativeOf(field) !== undefined)
  if (native === undefined) return objectReader(codecs, method)
  const read = nativeOf(native)!
  const objects = codecs.of(native.type)
  /** Where the field's value began in the message that is being read. */
  let began = 0
  const codec: ValueCodec = {
    ...objects,
    read: (reader, owner) => {
      began = reader.position
      const { depth } = reader
      const batch = read(reader, owner!)
      if (batch !== undefined) return batch
      reader.rewind(began, depth)
      return objects.read(reader)
    },
  }
  const args = structCodec(method.args, (field) => (field === native ? codec : codecs.of(field.type)))
  return (reader) => {
    const given = args.read(reader) as ThriftObject
    const batch = given[native.name]
    if (batch instanceof MutationBatch && !settle(batch, given)) {
      const end = reader.position
      reader.rewind(began, reader.depth)
      given[native.name] = objects.read(reader)
      reader.rewind(end, reader.depth)
    }
    return given
  }
}

function objectReader(codecs: ValueCodecs, method: MethodSchema): (reader: ProtocolReader) => ThriftObject {
  const args = structCodec(method.args, (field) => codecs.of(field.type))
  return (reader) => args.read(reader) as ThriftObject
}

/** Applies to the batch what stands beside it in the call; false where that is more than a time. */
function settle(batch: MutationBatch, given: ThriftObject): boolean {
  const attributes = given['attributes'] as readonly unknown[] | undefined
  if (attributes !== undefined && attributes.length > 0) return false
  const timestamp = given['timestamp'] as bigint | undefined
  if (timestamp === undefined || timestamp === LATEST_TIMESTAMP) return true
  if (timestamp < 0n) return false
  stampCells(batch, 0, timestamp)
  return true
}
