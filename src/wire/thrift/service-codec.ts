/** Compiles the arguments and answers of a service's methods from the IDL. */

import { nativeArguments } from './native-arguments.ts'
import { MessageType, type ProtocolReader, type ProtocolWriter, WireType } from './protocol.ts'
import { RowResults } from './row-results.ts'
import {
  cellsInSteps,
  isLargeAnswer,
  type RowResultsInSteps,
  resultInSteps,
  resultsInSteps,
  rowResultsInSteps,
} from './row-results-in-steps.ts'
import {
  type RowResultsWriter,
  writeCells,
  writeResult,
  writeResults,
  writeRowResults,
} from './row-results-writer.ts'
import { type FieldSchema, type MethodSchema, type ServiceSchema, typeText } from './schema.ts'
import type { ThriftException } from './thrift-exception.ts'
import { type ThriftObject, type ValueCodec, ValueCodecs } from './value-codec.ts'

export interface MethodCodec {
  readonly schema: MethodSchema
  readonly readArguments: (reader: ProtocolReader) => ThriftObject
  /** The whole message. Throws where `value` is not what the IDL declares: rewind the output then. */
  readonly writeReply: (writer: ProtocolWriter, sequenceId: number, value: unknown) => void
  /** The same in steps, for a value that `isLargeValue` is true of; nothing else may use the writer's output meanwhile. */
  readonly replyInSteps: (writer: ProtocolWriter, sequenceId: number, value: unknown) => Generator<void, void>
  /** False where the method does not declare the exception. */
  readonly writeThrown: (writer: ProtocolWriter, sequenceId: number, thrown: ThriftException) => boolean
}

export type ServiceCodec = ReadonlyMap<string, MethodCodec>

/** TApplicationException's types. PERSISTED: never renumber. */
export const ApplicationError = {
  UNKNOWN_METHOD: 1,
  INTERNAL_ERROR: 6,
  PROTOCOL_ERROR: 7,
} as const

export function serviceCodec(service: ServiceSchema): ServiceCodec {
  const codecs = new ValueCodecs()
  return new Map(
    [...service.methods.values()].map((method) => [method.name, methodCodec(codecs, service, method)]),
  )
}

/** Writes the whole message for a call that no handler answers. */
export function writeApplicationError(
  writer: ProtocolWriter,
  method: string,
  sequenceId: number,
  type: number,
  message: string,
): void {
  writer.writeMessageBegin(method, MessageType.EXCEPTION, sequenceId)
  writer.writeStructBegin()
  writer.writeFieldBegin(WireType.STRING, 1)
  writer.writeText(message)
  writer.writeFieldBegin(WireType.I32, 2)
  writer.writeI32(type)
  writer.writeStructEnd()
}

/** Writers by the type of the result: at once, and in steps. */
interface RowsCodec {
  readonly atOnce: RowResultsWriter
  readonly inSteps: RowResultsInSteps
}

const rowsCodecs: ReadonlyMap<string, RowsCodec> = new Map([
  ['list<TRowResult>', { atOnce: writeRowResults, inSteps: rowResultsInSteps }],
  ['list<TCell>', { atOnce: writeCells, inSteps: cellsInSteps }],
  ['TResult', { atOnce: writeResult, inSteps: resultInSteps }],
  ['list<TResult>', { atOnce: writeResults, inSteps: resultsInSteps }],
])

const LARGE_LIST = 1000

/** Whether a reply with the value is one to write in steps. */
export function isLargeValue(value: unknown): boolean {
  return value instanceof RowResults
    ? isLargeAnswer(value)
    : Array.isArray(value) && value.length > LARGE_LIST
}

function methodCodec(codecs: ValueCodecs, service: ServiceSchema, schema: MethodSchema): MethodCodec {
  const { name } = schema
  const result = schema.result === undefined ? undefined : codecs.of(schema.result)
  const rows = schema.result === undefined ? undefined : rowsCodecs.get(typeText(schema.result))
  const thrownFields = new Map(schema.throws.map((field) => [typeText(field.type), field]))
  return {
    schema,
    readArguments: nativeArguments(codecs, service.name, schema),
    writeReply: (writer, sequenceId, value) => {
      writer.writeMessageBegin(name, MessageType.REPLY, sequenceId)
      writer.writeStructBegin()
      if (value instanceof RowResults && rows !== undefined) {
        writer.writeFieldBegin(result!.wireType, 0)
        rows.atOnce(writer, value)
      } else if (result !== undefined && value !== undefined && value !== null) {
        writeSuccess(writer, result, value)
      }
      writer.writeStructEnd()
    },
    *replyInSteps(writer, sequenceId, value) {
      writer.writeMessageBegin(name, MessageType.REPLY, sequenceId)
      writer.writeStructBegin()
      writer.writeFieldBegin(result!.wireType, 0)
      if (value instanceof RowResults) yield* rows!.inSteps(writer, value)
      else if (result!.writeInSteps !== undefined) yield* result!.writeInSteps(writer, value)
      else result!.write(writer, value)
      writer.writeStructEnd()
    },
    writeThrown: (writer, sequenceId, thrown) => {
      const field = thrownFields.get(thrown.struct)
      if (field === undefined) return false
      writeThrown(writer, name, sequenceId, field, codecs.of(field.type), thrown)
      return true
    },
  }
}

function writeSuccess(writer: ProtocolWriter, result: ValueCodec, value: unknown): void {
  if (result.wireType === WireType.BOOL) {
    writer.writeBoolField(0, value === true)
    return
  }
  writer.writeFieldBegin(result.wireType, 0)
  result.write(writer, value)
}

function writeThrown(
  writer: ProtocolWriter,
  method: string,
  sequenceId: number,
  field: FieldSchema,
  codec: ValueCodec,
  thrown: ThriftException,
): void {
  writer.writeMessageBegin(method, MessageType.REPLY, sequenceId)
  writer.writeStructBegin()
  writer.writeFieldBegin(WireType.STRUCT, field.id)
  codec.write(writer, thrown.fields)
  writer.writeStructEnd()
}
