/**
 * The frame of a response:
 *
 *     response := length i32 | ResponseHeader delimited | message delimited | cell block
 *
 * Nothing follows a header with an exception.
 */

import { fromBinary } from '@bufbuild/protobuf'
import { CellBlock } from '../../model/cell-block.ts'
import { ExceptionResponseSchema } from './gen/rpc_pb.ts'
import { MessageReader } from './message-reader.ts'
import type { MessageWriter } from './message-writer.ts'
import { RemoteException } from './remote-exception.ts'
import { cellsBehind, readCellBlockLength, writeCellBlockMeta } from './request-frame.ts'
import type { AnswerCells } from './scattered-block.ts'

/** Field numbers of ResponseHeader and ExceptionResponse. PERSISTED: never renumber. */
const Field = { callId: 1, exception: 2, cellBlockMeta: 3 } as const
const ExceptionField = {
  className: 1,
  stackTrace: 2,
  host: 3,
  port: 4,
  doNotRetry: 5,
  serverOverloaded: 6,
} as const

/** Call ids from here on are negative int32s: the response concerns the connection, not a call. */
const NEGATIVE_CALL_ID = 0x80000000

/** One response; the same object is reused for the next one. */
export class ResponseFrame {
  callId = 0
  exception: RemoteException | undefined
  /** The bounds of the message; empty where there is none. */
  messageStart = 0
  messageEnd = 0
  cells: CellBlock = CellBlock.EMPTY

  get concernsConnection(): boolean {
    return this.callId >= NEGATIVE_CALL_ID
  }

  /** `start` is behind the length. Throws MalformedMessage; callId is right even then, if the header was readable. */
  read(buffer: Buffer, start: number, end: number): void {
    this.callId = NEGATIVE_CALL_ID
    this.exception = undefined
    const frame = new MessageReader(buffer, start, end)
    const cellBytes = this.#readHeader(frame.delimited())
    this.cells = CellBlock.EMPTY
    this.messageStart = this.messageEnd = frame.at
    if (this.exception !== undefined || frame.at === end) return
    const message = frame.delimited()
    this.messageStart = message.at
    this.messageEnd = message.end
    this.cells = cellsBehind(buffer, frame.at, end, cellBytes)
  }

  #readHeader(reader: MessageReader): number {
    let callId = 0
    let cellBytes = 0
    while (reader.next()) {
      if (reader.field === Field.callId) callId = reader.uint32()
      else if (reader.field === Field.exception) {
        this.exception = RemoteException.of(fromBinary(ExceptionResponseSchema, reader.bytes()))
      } else if (reader.field === Field.cellBlockMeta) cellBytes = readCellBlockLength(reader.message())
      else reader.skip()
    }
    this.callId = callId
    return cellBytes
  }
}

/** Appends the whole frame of a server's answer. */
export function writeResponse(
  writer: MessageWriter,
  callId: number,
  writeMessage: (writer: MessageWriter) => void,
  cells: readonly AnswerCells[] = [],
): void {
  const frame = writer.beginFrame()
  const header = writer.beginDelimited()
  writer.uint32(Field.callId, callId)
  writeCellBlockMeta(writer, Field.cellBlockMeta, cells)
  writer.end(header)
  const message = writer.beginDelimited()
  writeMessage(writer)
  writer.end(message)
  for (const each of cells) {
    if (each instanceof CellBlock) writer.range(each.buffer, each.start, each.end)
    else each.writeTo(writer)
  }
  writer.endFrame(frame)
}

/** Bytes of cells that are copied in a step. */
const STEP_BYTES = 256 * 1024

/** As writeResponse, in steps. */
export function* responseInSteps(
  writer: MessageWriter,
  callId: number,
  messageInSteps: (writer: MessageWriter) => Generator<void, void>,
  cells: readonly AnswerCells[] = [],
): Generator<void, void> {
  const frame = writer.beginFrame()
  const header = writer.beginDelimited()
  writer.uint32(Field.callId, callId)
  writeCellBlockMeta(writer, Field.cellBlockMeta, cells)
  writer.end(header)
  const message = writer.beginDelimited()
  yield* messageInSteps(writer)
  writer.end(message)
  for (const each of cells) {
    if (!(each instanceof CellBlock)) {
      yield* each.writeInSteps(writer)
      continue
    }
    const { buffer, start, end } = each
    for (let at = start; at < end; at += STEP_BYTES) {
      writer.range(buffer, at, Math.min(end, at + STEP_BYTES))
      yield
    }
  }
  writer.endFrame(frame)
}

/** Appends the whole frame of a server's exception. */
export function writeExceptionResponse(
  writer: MessageWriter,
  callId: number,
  exception: RemoteException,
): void {
  const frame = writer.beginFrame()
  const header = writer.beginDelimited()
  writer.uint32(Field.callId, callId)
  const message = writer.begin(Field.exception)
  writer.string(ExceptionField.className, exception.javaClass)
  writer.string(ExceptionField.stackTrace, exception.remoteStack)
  if (exception.host !== undefined) writer.string(ExceptionField.host, exception.host)
  if (exception.port !== undefined) writer.uint32(ExceptionField.port, exception.port)
  writer.bool(ExceptionField.doNotRetry, exception.doNotRetry)
  if (exception.serverOverloaded) writer.bool(ExceptionField.serverOverloaded, true)
  writer.end(message)
  writer.end(header)
  writer.endFrame(frame)
}
