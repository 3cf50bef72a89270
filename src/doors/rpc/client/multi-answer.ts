/** The outcomes of a Multi's actions, and the answer that carries them. */

import { CellBlock } from '../../../model/cell-block.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import type { Steps } from '../../../model/steps.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { WireType } from '../../../wire/rpc/message-reader.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import { varintBytes, writeVarint } from '../../../wire/rpc/varint.ts'
import type { RpcAnswer } from '../contract/rpc-service.ts'
import { javaException } from '../messages/exceptions.ts'
import { writeCells, writeCount, writeExistence } from '../messages/write-result.ts'
import { LARGE_BYTES } from './scan-results.ts'

/** The outcome of one action. */
export type Outcome =
  | { readonly kind: 'done'; readonly index: number }
  /** An action under a condition: `processed` of its region is its answer. */
  | { readonly kind: 'conditional'; readonly index: number }
  | { readonly kind: 'result'; readonly index: number; readonly cells: CellBlock; readonly count: number }
  | { readonly kind: 'served'; readonly index: number; readonly name: string; readonly value: Uint8Array }
  | { readonly kind: 'exists'; readonly index: number; readonly exists: boolean }
  | { readonly kind: 'failed'; readonly index: number; readonly error: unknown }

export interface RegionOutcome {
  readonly outcomes: readonly Outcome[]
  /** Indexes of actions that were all carried out without a result; there are no outcomes then. */
  readonly done?: readonly number[]
  /** True where the results were read from a copy of the region. */
  readonly isStale?: boolean
  /** The reason why none of the region's actions was carried out; absent otherwise. */
  readonly error?: unknown
  /** True where the condition held, or there is none; absent for independent actions. */
  readonly processed?: boolean
  /** The message that has `processed`: the region's answer, that of the whole request, or both where there is no condition. */
  readonly placedIn?: 'region' | 'request' | 'both'
}

/** Most outcomes, and most bytes, that one step writes. */
const STEP_OUTCOMES = 256
const STEP_BYTES = 64 * 1024
/** Most bytes of an index. */
const VARINT_BYTES_MAX = 5
/** Answers with fewer outcomes are written in one piece. */
const LARGE_COUNT = 5000

interface Answered {
  readonly regions: readonly RegionOutcome[]
  readonly takesCellBlocks: boolean
  /** True where the condition stands in the request itself, not in a region's action. */
  readonly isOfRequest: boolean
}

/** Makes the answer, for very many outcomes in several turns of the event loop. `release`: gives back the results' memory. */
export function multiAnswer(answered: Answered, release: () => void): RpcAnswer | Promise<RpcAnswer> {
  const steps = gathered(answered)
  const first = steps.next()
  if (first.done === true) return answerOf(answered, first.value, release)
  return manyATurn(steps).then((all) => answerOf(answered, all, release))
}

interface Gathered {
  readonly cells: CellBlock[]
  /** Bytes of the cells of all results. */
  readonly bytes: number
  /** Number of outcomes; each region counts as one more. */
  readonly outcomes: number
}

function* gathered({ regions, takesCellBlocks }: Answered): Steps<Gathered> {
  const cells: CellBlock[] = []
  let bytes = 0
  let seen = 0
  for (const { outcomes, done = [], processed } of regions) {
    if (++seen % STEP_OUTCOMES === 0) yield
    seen += done.length
    for (const outcome of outcomes) {
      if (++seen % STEP_OUTCOMES === 0) yield
      if (outcome.kind !== 'result' || outcome.count === 0) continue
      bytes += outcome.cells.byteLength
      // The cells of a row's change are written into the message.
      if (takesCellBlocks && processed === undefined) addBlock(cells, outcome.cells)
    }
  }
  return { cells, bytes, outcomes: seen }
}

function answerOf(
  { regions, takesCellBlocks, isOfRequest }: Answered,
  { cells, bytes, outcomes }: Gathered,
  release: () => void,
): RpcAnswer {
  const end = (writer: MessageWriter): void => {
    // Clients before 2.3 read `processed` here.
    const only = regions.find(({ placedIn = 'region' }) => placedIn !== 'region')
    if (only !== undefined) writer.bool(Field.MultiResponse.processed, only.processed!)
    // Empty: clients slow down by the loads of regions, but a busy store answers an exception instead.
    if (!isOfRequest) writer.end(writer.begin(Field.MultiResponse.regionStatistics))
  }
  const write = (writer: MessageWriter): void => {
    for (const region of regions) writeRegion(writer, region, takesCellBlocks)
    end(writer)
  }
  if (outcomes < LARGE_COUNT && bytes < LARGE_BYTES) return { write, cells, bytes, release }
  const writeInSteps = function* (writer: MessageWriter): Generator<void, void> {
    for (const region of regions) yield* regionInSteps(writer, region, takesCellBlocks)
    end(writer)
  }
  return { write, writeInSteps, cells, bytes, release }
}

/** Adds a block. Joins it with the last one where it follows that in memory, as the results of one read do. */
function addBlock(blocks: CellBlock[], block: CellBlock): void {
  const last = blocks.at(-1)
  if (last === undefined || last.buffer !== block.buffer || last.end !== block.start) blocks.push(block)
  else blocks[blocks.length - 1] = new CellBlock(last.buffer, last.start, block.end)
}

function* regionInSteps(
  writer: MessageWriter,
  region: RegionOutcome,
  takesCellBlocks: boolean,
): Generator<void, void> {
  const start = writer.begin(Field.MultiResponse.regionActionResult)
  const { done = [] } = region
  for (let from = 0; from < done.length; from += STEP_OUTCOMES) {
    writeDone(writer, done, from, from + STEP_OUTCOMES)
    yield
  }
  let left = STEP_OUTCOMES
  let before = writer.length
  for (const outcome of region.outcomes) {
    writeResultOrException(writer, outcome, region, takesCellBlocks)
    if (--left > 0 && writer.length - before < STEP_BYTES) continue
    left = STEP_OUTCOMES
    before = writer.length
    yield
  }
  endRegion(writer, start, region)
  yield
}

function writeRegion(writer: MessageWriter, region: RegionOutcome, takesCellBlocks: boolean): void {
  const start = writer.begin(Field.MultiResponse.regionActionResult)
  if (region.done !== undefined) writeDone(writer, region.done, 0, region.done.length)
  for (const outcome of region.outcomes) writeResultOrException(writer, outcome, region, takesCellBlocks)
  endRegion(writer, start, region)
}

/** Bytes of an answered action without its index: the tags and lengths of two messages, and the tag of the index. */
const DONE_BYTES = 5

/** Writes an empty result for each of the actions. */
function writeDone(writer: MessageWriter, indexes: readonly number[], from: number, to: number): void {
  const field = Field.ResultOrException
  const end = Math.min(to, indexes.length)
  let at = writer.reserve((end - from) * (DONE_BYTES + VARINT_BYTES_MAX))
  const { buffer } = writer
  for (let i = from; i < end; i++) {
    const index = indexes[i]!
    buffer[at] = (Field.RegionActionResult.resultOrException << 3) | WireType.LengthDelimited
    buffer[at + 1] = DONE_BYTES - 2 + varintBytes(index)
    buffer[at + 2] = field.index << 3
    at = writeVarint(buffer, at + 3, index)
    buffer[at] = (field.result << 3) | WireType.LengthDelimited
    buffer[at + 1] = 0
    at += 2
  }
  writer.length = at
}

function writeResultOrException(
  writer: MessageWriter,
  outcome: Outcome,
  { processed, isStale = false }: RegionOutcome,
  takesCellBlocks: boolean,
): void {
  const start = writer.begin(Field.RegionActionResult.resultOrException)
  writeOutcome(writer, outcome, { takesCellBlocks: takesCellBlocks && processed === undefined, isStale })
  writer.end(start)
}

function endRegion(
  writer: MessageWriter,
  start: number,
  { error, processed, placedIn }: RegionOutcome,
): void {
  const field = Field.RegionActionResult
  if (error !== undefined) writeException(writer, field.exception, error)
  if (processed !== undefined && placedIn !== 'request') writer.bool(field.processed, processed)
  writer.end(start)
}

interface ResultForm {
  readonly takesCellBlocks: boolean
  readonly isStale: boolean
}

function writeOutcome(
  writer: MessageWriter,
  outcome: Outcome,
  { takesCellBlocks, isStale }: ResultForm,
): void {
  const field = Field.ResultOrException
  writer.uint32(field.index, outcome.index)
  if (outcome.kind === 'failed') writeException(writer, field.exception, outcome.error)
  else if (outcome.kind === 'done') writer.end(writer.begin(field.result))
  else if (outcome.kind === 'conditional') return
  else if (outcome.kind === 'served') writeServed(writer, outcome)
  else if (outcome.kind === 'exists') writeExistence(writer, field.result, outcome.exists, isStale)
  else if (takesCellBlocks) writeCount(writer, field.result, outcome.count, isStale)
  else writeCells(writer, field.result, outcome.cells, { isStale })
}

function writeException(writer: MessageWriter, field: number, error: unknown): void {
  const { javaClass, remoteStack } = javaException(error)
  const start = writer.begin(field)
  writer.string(Field.NameBytesPair.name, javaClass)
  writer.string(Field.NameBytesPair.value, remoteStack)
  writer.end(start)
}

/** Writes a CoprocessorServiceResult. */
function writeServed(writer: MessageWriter, { name, value }: Outcome & { kind: 'served' }): void {
  const start = writer.begin(Field.ResultOrException.serviceResult)
  const pair = writer.begin(Field.CoprocessorServiceResult.value)
  writer.string(Field.NameBytesPair.name, name)
  writer.bytes(Field.NameBytesPair.value, Buffer.from(value.buffer, value.byteOffset, value.byteLength))
  writer.end(pair)
  writer.end(start)
}
