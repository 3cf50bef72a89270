/** What ClientService answers. Field numbers are those of idl/rpc/client.proto. PERSISTED: never renumber. */

import { EMPTY } from '../../model/bytes.ts'
import { CellType } from '../../model/cell.ts'
import { type CellBlock, CellBlockBuilder } from '../../model/cell-block.ts'
import { LATEST_TIMESTAMP, timestampHigh, timestampLow } from '../../model/timestamp.ts'
import type { MessageReader } from './message-reader.ts'
import { RemoteException } from './remote-exception.ts'

export interface ResultMessage {
  /** So many of the next cells of the response's cell block are this result's. */
  readonly cellCount: number
  /** Cells that the message holds itself: conditional increments and appends are answered so. */
  readonly inlineCells: CellBlock | undefined
  readonly inlineCount: number
  /** Of a get that asked for existence only. */
  readonly exists: boolean
  readonly partial: boolean
}

export const NO_RESULT: ResultMessage = {
  cellCount: 0,
  inlineCells: undefined,
  inlineCount: 0,
  exists: false,
  partial: false,
}

export interface MutateResponse {
  readonly result: ResultMessage
  /** Of a conditional mutation: whether the condition held. */
  readonly processed: boolean
}

export interface ScanResponse {
  /** How many of the response's cells belong to each result. */
  readonly cellsPerResult: readonly number[]
  /** For each result 1 where its row goes on in the next one; may be shorter than cellsPerResult. */
  readonly partialFlags: readonly number[]
  /** Undefined: none was opened. */
  readonly scannerId: bigint | undefined
  /** False at the end of the whole scan; absent from the wire means true. */
  readonly moreResults: boolean
  readonly moreResultsInRegion: boolean
  /** Milliseconds after which the server forgets the scanner. */
  readonly ttl: number
  /** Nothing yet, within the time that the call had; the scan goes on. */
  readonly heartbeat: boolean
  readonly mvccReadPoint: bigint
  /** How far the scan has come, where that was asked for. */
  readonly cursorRow: Buffer | undefined
}

export interface ActionResult {
  readonly index: number
  readonly result: ResultMessage | undefined
  readonly exception: RemoteException | undefined
}

export interface RegionResult {
  /** In the order of the rows perhaps: `index` tells whose each is. Their cells follow each other in this order. */
  readonly actions: readonly ActionResult[]
  /** The whole region's, and then there are no actions. */
  readonly exception: RemoteException | undefined
  readonly processed: boolean | undefined
}

export interface MultiResponse {
  /** In the order of the request's regions. */
  readonly regions: readonly RegionResult[]
  /** Of a condition for the whole request. */
  readonly processed: boolean
}

const ResultField = { cell: 1, associatedCellCount: 2, exists: 3, partial: 5 } as const

export function readResult(reader: MessageReader): ResultMessage {
  let cellCount = 0
  let exists = false
  let partial = false
  let inline: CellBlockBuilder | undefined
  while (reader.next()) {
    if (reader.field === ResultField.associatedCellCount) cellCount = reader.uint32()
    else if (reader.field === ResultField.exists) exists = reader.bool()
    else if (reader.field === ResultField.partial) partial = reader.bool()
    else if (reader.field === ResultField.cell) {
      inline ??= new CellBlockBuilder()
      readCell(reader.message(), inline)
    } else reader.skip()
  }
  return { cellCount, inlineCells: inline?.block(), inlineCount: inline?.count ?? 0, exists, partial }
}

const CellField = { row: 1, family: 2, qualifier: 3, timestamp: 4, type: 5, value: 6 } as const

function readCell(reader: MessageReader, into: CellBlockBuilder): void {
  let row = EMPTY
  let family = EMPTY
  let qualifier = EMPTY
  let value = EMPTY
  let timestamp = LATEST_TIMESTAMP
  let type: number = CellType.Put
  while (reader.next()) {
    if (reader.field === CellField.row) row = reader.bytes()
    else if (reader.field === CellField.family) family = reader.bytes()
    else if (reader.field === CellField.qualifier) qualifier = reader.bytes()
    else if (reader.field === CellField.timestamp) timestamp = reader.uint64()
    else if (reader.field === CellField.type) type = reader.uint32()
    else if (reader.field === CellField.value) value = reader.bytes()
    else reader.skip()
  }
  into.append(row, family, qualifier, timestampHigh(timestamp), timestampLow(timestamp), type, value)
}

/** The result of a GetResponse; NO_RESULT where it has none. */
export function readGetResponse(reader: MessageReader): ResultMessage {
  let result = NO_RESULT
  while (reader.next()) {
    if (reader.field === 1) result = readResult(reader.message())
    else reader.skip()
  }
  return result
}

export function readMutateResponse(reader: MessageReader): MutateResponse {
  let result = NO_RESULT
  let processed = false
  while (reader.next()) {
    if (reader.field === 1) result = readResult(reader.message())
    else if (reader.field === 2) processed = reader.bool()
    else reader.skip()
  }
  return { result, processed }
}

const ScanField = {
  cellsPerResult: 1,
  scannerId: 2,
  moreResults: 3,
  ttl: 4,
  partialFlagPerResult: 7,
  moreResultsInRegion: 8,
  heartbeatMessage: 9,
  mvccReadPoint: 11,
  cursor: 12,
} as const

export function readScanResponse(reader: MessageReader): ScanResponse {
  const cellsPerResult: number[] = []
  const partialFlags: number[] = []
  let scannerId: bigint | undefined
  let moreResults = true
  let moreResultsInRegion = false
  let ttl = 0
  let heartbeat = false
  let mvccReadPoint = 0n
  let cursorRow: Buffer | undefined
  while (reader.next()) {
    if (reader.field === ScanField.cellsPerResult) reader.uint32s(cellsPerResult)
    else if (reader.field === ScanField.partialFlagPerResult) reader.uint32s(partialFlags)
    else if (reader.field === ScanField.scannerId) scannerId = reader.uint64()
    else if (reader.field === ScanField.moreResults) moreResults = reader.bool()
    else if (reader.field === ScanField.moreResultsInRegion) moreResultsInRegion = reader.bool()
    else if (reader.field === ScanField.ttl) ttl = reader.uint32()
    else if (reader.field === ScanField.heartbeatMessage) heartbeat = reader.bool()
    else if (reader.field === ScanField.mvccReadPoint) mvccReadPoint = reader.uint64()
    else if (reader.field === ScanField.cursor) cursorRow = readCursor(reader.message())
    else reader.skip()
  }
  return {
    cellsPerResult,
    partialFlags,
    scannerId,
    moreResults,
    moreResultsInRegion,
    ttl,
    heartbeat,
    mvccReadPoint,
    cursorRow,
  }
}

function readCursor(reader: MessageReader): Buffer | undefined {
  let row: Buffer | undefined
  while (reader.next()) {
    if (reader.field === 1) row = reader.bytes()
    else reader.skip()
  }
  return row
}

export function readMultiResponse(reader: MessageReader): MultiResponse {
  const regions: RegionResult[] = []
  let processed = false
  while (reader.next()) {
    if (reader.field === 1) regions.push(readRegionResult(reader.message()))
    else if (reader.field === 2) processed = reader.bool()
    else reader.skip()
  }
  return { regions, processed }
}

function readRegionResult(reader: MessageReader): RegionResult {
  const actions: ActionResult[] = []
  let exception: RemoteException | undefined
  let processed: boolean | undefined
  while (reader.next()) {
    if (reader.field === 1) actions.push(readActionResult(reader.message()))
    else if (reader.field === 2) exception = readException(reader.message())
    else if (reader.field === 3) processed = reader.bool()
    else reader.skip()
  }
  return { actions, exception, processed }
}

function readActionResult(reader: MessageReader): ActionResult {
  let index = 0
  let result: ResultMessage | undefined
  let exception: RemoteException | undefined
  while (reader.next()) {
    if (reader.field === 1) index = reader.uint32()
    else if (reader.field === 2) result = readResult(reader.message())
    else if (reader.field === 3) exception = readException(reader.message())
    else reader.skip()
  }
  return { index, result, exception }
}

/** A NameBytesPair: the class, and the stack trace as text. */
function readException(reader: MessageReader): RemoteException {
  let javaClass = ''
  let stackTrace = EMPTY
  while (reader.next()) {
    if (reader.field === 1) javaClass = reader.string()
    else if (reader.field === 2) stackTrace = reader.bytes()
    else reader.skip()
  }
  return RemoteException.ofPair(javaClass, stackTrace)
}
