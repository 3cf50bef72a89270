/**
 * The frame of a request:
 *
 *     request := length i32 | RequestHeader delimited | parameter delimited | cell block
 */

import { CellBlock } from '../../model/cell-block.ts'
import { KnownWords } from './known-words.ts'
import { MalformedMessage, MessageReader } from './message-reader.ts'
import type { MessageWriter } from './message-writer.ts'
import type { RpcMethod } from './rpc-method.ts'
import { writeTraceInfo } from './trace-info.ts'

/** Field numbers of RequestHeader and CellBlockMeta. PERSISTED: never renumber. */
const Field = {
  callId: 1,
  traceInfo: 2,
  methodName: 3,
  requestParam: 4,
  cellBlockMeta: 5,
  priority: 6,
  timeout: 7,
} as const
const CELL_BLOCK_LENGTH = 1

export interface RequestHeader {
  readonly callId: number
  readonly method: string
  readonly priority?: number | undefined
  /** How long the client waits; undefined or 0: without limit. */
  readonly timeoutMs?: number | undefined
}

/** A request's header as it is sent. */
export interface SentHeader extends RequestHeader {
  /** As `Call.trace`; undefined: the call is not traced. */
  readonly trace?: string | undefined
}

export interface RequestFrame extends RequestHeader {
  /** The bounds of the parameter; undefined: none was sent. */
  readonly parameter: { readonly start: number; readonly end: number } | undefined
  /** The unread RPCTInfo; undefined: the client sent none. */
  readonly traceInfo?: MessageReader | undefined
  readonly cells: CellBlock
}

/** The few method names as bytes, since each call writes one. */
const methodNames = new Map<string, Buffer>()

function methodName(name: string): Buffer {
  let bytes = methodNames.get(name)
  if (bytes === undefined) {
    bytes = Buffer.from(name)
    methodNames.set(name, bytes)
  }
  return bytes
}

/** Appends a whole frame. */
export function writeRequest<Request>(
  writer: MessageWriter,
  header: Omit<SentHeader, 'method'>,
  method: RpcMethod<Request, unknown>,
  request: Request,
  cells: readonly CellBlock[],
): void {
  const frame = writer.beginFrame()
  const start = writer.beginDelimited()
  writer.uint32(Field.callId, header.callId)
  if (header.trace !== undefined) writeTraceInfo(writer, Field.traceInfo, header.trace)
  writer.bytes(Field.methodName, methodName(method.name))
  writer.bool(Field.requestParam, true)
  writeCellBlockMeta(writer, Field.cellBlockMeta, cells)
  if (header.priority !== undefined) writer.uint32(Field.priority, header.priority)
  if (header.timeoutMs !== undefined) writer.uint32(Field.timeout, header.timeoutMs)
  writer.end(start)
  const parameter = writer.beginDelimited()
  method.encode(request, writer)
  writer.end(parameter)
  for (const { buffer, start: from, end } of cells) writer.range(buffer, from, end)
  writer.endFrame(frame)
}

/** Writes the CellBlockMeta of a frame with cells into the given field of its header. */
export function writeCellBlockMeta(
  writer: MessageWriter,
  field: number,
  cells: readonly { readonly byteLength: number }[],
): void {
  const bytes = cellBlockBytes(cells)
  if (bytes === 0) return
  const meta = writer.begin(field)
  writer.uint32(CELL_BLOCK_LENGTH, bytes)
  writer.end(meta)
}

export function cellBlockBytes(cells: readonly { readonly byteLength: number }[]): number {
  let bytes = 0
  for (const block of cells) bytes += block.byteLength
  return bytes
}

/**
 * Reads a frame on the server's side; `start` is behind its length. A parameter without cells behind it ends with the frame,
 * though it states a longer length, as HBase's ServerRpcConnection.processRequest takes it: PyPI's hbase-driver states too
 * great ones from 128 bytes on. Throws MalformedMessage.
 */
export function readRequest(buffer: Buffer, start: number, end: number): RequestFrame {
  const frame = new MessageReader(buffer, start, end)
  const { callId, method, priority, timeoutMs, traceInfo, hasParameter, cellBytes } = readHeader(
    frame.delimited(),
  )
  const isLast = cellBytes === 0
  const reader = hasParameter ? (isLast ? frame.delimitedOrRest() : frame.delimited()) : undefined
  const parameter = reader && { start: reader.at, end: reader.end }
  const cells = cellsBehind(buffer, frame.at, end, cellBytes)
  // Named one by one: an object made by a spread has a shape of its own, which each later look at it must find out anew.
  return { callId, method, priority, timeoutMs, parameter, traceInfo, cells }
}

/** The call id of a request whose rest need not be there. Throws MalformedMessage. */
export function readCallId(begun: Buffer): number {
  return readHeader(new MessageReader(begun).delimited()).callId
}

interface ReadHeader extends RequestHeader {
  readonly hasParameter: boolean
  readonly traceInfo: MessageReader | undefined
  readonly cellBytes: number
}

const methods = new KnownWords()

function readHeader(reader: MessageReader): ReadHeader {
  const header = {
    callId: 0,
    method: '',
    priority: undefined as number | undefined,
    timeoutMs: undefined as number | undefined,
    hasParameter: false,
    traceInfo: undefined as MessageReader | undefined,
    cellBytes: 0,
  }
  while (reader.next()) {
    if (reader.field === Field.callId) header.callId = reader.uint32()
    else if (reader.field === Field.methodName) header.method = reader.word(methods)
    else if (reader.field === Field.requestParam) header.hasParameter = reader.bool()
    else if (reader.field === Field.cellBlockMeta) header.cellBytes = readCellBlockLength(reader.message())
    else if (reader.field === Field.priority) header.priority = reader.uint32()
    else if (reader.field === Field.timeout) header.timeoutMs = reader.uint32()
    else if (reader.field === Field.traceInfo) header.traceInfo = reader.message()
    else reader.skip()
  }
  return header
}

export function readCellBlockLength(reader: MessageReader): number {
  let length = 0
  while (reader.next()) {
    if (reader.field === CELL_BLOCK_LENGTH) length = reader.uint32()
    else reader.skip()
  }
  return length
}

/** The cell block at a frame's end, which must hold `bytes` from `start` on. */
export function cellsBehind(buffer: Buffer, start: number, end: number, bytes: number): CellBlock {
  if (bytes > end - start) {
    throw new MalformedMessage(`a cell block of ${bytes} bytes in a frame that has ${end - start} left`)
  }
  return bytes === 0 ? CellBlock.EMPTY : new CellBlock(buffer, start, start + bytes)
}
