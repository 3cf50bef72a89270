/**
 * Decodes arguments of the writing methods straight into cells, in a MutationBatch or RowMutations, without an object per
 * cell. An argument that is not plain is read once more, as objects.
 */

import { MutationBatch } from '../../model/mutation.ts'
import { stampCells } from '../../model/stamp-cells.ts'
import { LATEST_TIMESTAMP } from '../../model/timestamp.ts'
import type { ProtocolReader } from './protocol.ts'
import { PutReader } from './put-reader.ts'
import { RowMutations, RowMutationsReader } from './row-mutations-reader.ts'
import type { FieldSchema, MethodSchema } from './schema.ts'
import { structCodec, type ThriftObject, type ValueCodec, type ValueCodecs } from './value-codec.ts'

type CellArgument = MutationBatch | RowMutations

/** Returns undefined, with the reader at any place, where the argument is not plain. */
type NativeRead = (reader: ProtocolReader, owner: ThriftObject) => CellArgument | undefined

/** Makes the function that reads one method's argument. Each reuses its own state for all cells. */
const nativeReads: ReadonlyMap<string, () => NativeRead> = new Map([
  ['Hbase.mutateRow.mutations', newRowReader],
  ['Hbase.mutateRowTs.mutations', newRowReader],
  ['Hbase.mutateRows.rowBatches', newRowsReader],
  ['Hbase.mutateRowsTs.rowBatches', newRowsReader],
  ['THBaseService.put.tput', newPutReader],
  ['THBaseService.putMultiple.tputs', newPutsReader],
])

function newRowReader(): NativeRead {
  const mutations = new RowMutationsReader()
  return (reader, owner) => mutations.readRow(reader, owner['row'] as Buffer | undefined)
}

function newRowsReader(): NativeRead {
  const mutations = new RowMutationsReader()
  return (reader) => mutations.readRows(reader)
}

function newPutReader(): NativeRead {
  const puts = new PutReader()
  return (reader) => puts.readPut(reader)
}

function newPutsReader(): NativeRead {
  const puts = new PutReader()
  return (reader) => puts.readPuts(reader)
}

export function nativeArguments(
  codecs: ValueCodecs,
  service: string,
  method: MethodSchema,
): (reader: ProtocolReader) => ThriftObject {
  const newReaderFor = (field: FieldSchema): (() => NativeRead) | undefined =>
    nativeReads.get(`${service}.${method.name}.${field.name}`)
  const native = method.args.fields.find((field) => newReaderFor(field) !== undefined)
  if (native === undefined) return objectReader(codecs, method)
  const read = newReaderFor(native)!()
  const objects = codecs.of(native.type)
  /** Offset of the field's value in the present message. */
  let began = 0
  const codec: ValueCodec = {
    ...objects,
    read: (reader, owner) => {
      began = reader.position
      const { depth } = reader
      const cells = read(reader, owner!)
      if (cells !== undefined) return cells
      reader.rewind(began, depth)
      return objects.read(reader)
    },
  }
  const args = structCodec(method.args, (field) => (field === native ? codec : codecs.of(field.type)))
  return (reader) => {
    const given = args.read(reader) as ThriftObject
    const argument = given[native.name]
    if (isOfCells(argument) && !applyTimestamp(argument, given)) {
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

function isOfCells(argument: unknown): argument is CellArgument {
  return argument instanceof MutationBatch || argument instanceof RowMutations
}

/** Gives the cells the call's timestamp. Returns false where the call has further options, such as attributes. */
function applyTimestamp(argument: CellArgument, given: ThriftObject): boolean {
  const attributes = given['attributes'] as readonly unknown[] | undefined
  if (attributes !== undefined && attributes.length > 0) return false
  const timestamp = given['timestamp'] as bigint | undefined
  if (timestamp === undefined || timestamp === LATEST_TIMESTAMP) return true
  if (timestamp < 0n) return false
  if (argument instanceof MutationBatch) {
    stampCells(argument, 0, timestamp)
  } else {
    stampCells(argument.puts, 0, timestamp)
    stampCells(argument.deletes, 0, timestamp)
  }
  return true
}
