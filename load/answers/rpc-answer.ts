/** Rows and cells of native RPC's answers, each a whole frame. */

import { fromBinary } from '@bufbuild/protobuf'
import { CellBlock, CellCursor } from '../../src/model/cell-block.ts'
import {
  GetResponseSchema,
  MultiResponseSchema,
  MutateResponseSchema,
  type Result,
  ScanResponseSchema,
} from '../../src/wire/rpc/gen/client_pb.ts'
import { ResponseFrame } from '../../src/wire/rpc/response-frame.ts'
import type { Answered } from '../../test/harness/answer-tally.ts'

const FRAME_HEAD_BYTES = 4

interface Opened {
  readonly message: Buffer
  /** Cells behind the message. */
  readonly cells: number
}

/** Throws for an exception. */
function opened(answer: Buffer): Opened {
  const frame = new ResponseFrame()
  frame.read(answer, FRAME_HEAD_BYTES, answer.length)
  if (frame.exception !== undefined) throw frame.exception
  return { message: answer.subarray(frame.messageStart, frame.messageEnd), cells: cellsOf(frame.cells) }
}

function cellsOf(block: CellBlock): number {
  const cursor = new CellCursor(block)
  let cells = 0
  while (cursor.next()) cells++
  return cells
}

function hasCells(result: Result | undefined): boolean {
  return result !== undefined && result.cell.length + result.associatedCellCount > 0
}

function cellsWithin(results: readonly (Result | undefined)[]): number {
  return results.reduce((sum, result) => sum + (result?.cell.length ?? 0), 0)
}

export function readGetAnswer(answer: Buffer): Answered {
  const { message, cells } = opened(answer)
  const { result } = fromBinary(GetResponseSchema, message)
  return { rows: hasCells(result) ? 1 : 0, cells: cells + cellsWithin([result]) }
}

export function readMutateAnswer(answer: Buffer): Answered {
  const { message, cells } = opened(answer)
  const { result } = fromBinary(MutateResponseSchema, message)
  return { rows: hasCells(result) ? 1 : 0, cells: cells + cellsWithin([result]) }
}

/** A row for each action: puts have one without cells. Throws where one has failed. */
export function readMultiAnswer(answer: Buffer): Answered {
  const { message, cells } = opened(answer)
  const { regionActionResult } = fromBinary(MultiResponseSchema, message)
  const actions = regionActionResult.flatMap(({ resultOrException }) => resultOrException)
  const failed = [...regionActionResult, ...actions].find(({ exception }) => exception !== undefined)
  if (failed !== undefined) throw new Error(`a failure within a Multi: ${failed.exception!.name}`)
  return { rows: actions.length, cells: cells + cellsWithin(actions.map(({ result }) => result)) }
}

export function readScanAnswer(answer: Buffer): Answered {
  const { message, cells } = opened(answer)
  const { results, cellsPerResult } = fromBinary(ScanResponseSchema, message)
  return { rows: cellsPerResult.length + results.length, cells: cells + cellsWithin(results) }
}
