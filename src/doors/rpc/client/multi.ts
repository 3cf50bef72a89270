/** ClientService.Multi: the actions of several regions in one call. HBase: RSRpcServices.multi. */

import { giveBack } from '../../../gateway/loans.ts'
import { CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import type { Results } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { RegionRef } from '../../../store/target.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import { javaException } from '../exceptions.ts'
import type { MutationMessage } from '../messages/read-mutation.ts'
import { writeCells, writeCount, writeExistence } from '../messages/write-result.ts'
import type { RpcAnswer, RpcHandler } from '../rpc-service.ts'
import { asRegionServer, type ClientContext } from './client-context.ts'
import { type Action, type RegionActions, readMulti } from './read-multi.ts'
import { appendTo, checkCellSizes, isPlain, rowMutation } from './row-mutations.ts'

/** What one action has come to. */
type Outcome =
  | { readonly kind: 'done'; readonly index: number }
  | { readonly kind: 'result'; readonly index: number; readonly cells: CellBlock; readonly count: number }
  | { readonly kind: 'served'; readonly index: number; readonly name: string; readonly value: Uint8Array }
  | { readonly kind: 'exists'; readonly index: number; readonly exists: boolean }
  | { readonly kind: 'failed'; readonly index: number; readonly error: unknown }

interface RegionOutcome {
  readonly outcomes: readonly Outcome[]
  /** Why none of the region's actions was carried out. */
  readonly error?: unknown
  /** Whether the condition held; undefined: the actions are independent. */
  readonly processed?: boolean
}

export function multiHandler(context: ClientContext): RpcHandler {
  const { store, limits } = context
  return async (request) => {
    const { regions, nonceGroup } = readMulti(request, limits.batchMax)
    const lent: Results[] = []
    const run = new MultiRun(context, request.call, nonceGroup, lent)
    const outcomes: RegionOutcome[] = []
    // One region after the other, as HBase does: an answer that is full leaves out the later ones.
    for (const region of regions) outcomes.push(await run.region(region))
    return answer(outcomes, request.takesCellBlocks, () => {
      for (const results of lent) giveBack(store.handouts, results)
    })
  }
}

class MultiRun {
  readonly #context: ClientContext
  readonly #call: Call
  readonly #nonceGroup: bigint
  readonly #lent: Results[]
  #bytesLeft: number

  constructor(context: ClientContext, call: Call, nonceGroup: bigint, lent: Results[]) {
    this.#context = context
    this.#call = call
    this.#nonceGroup = nonceGroup
    this.#lent = lent
    this.#bytesLeft = context.limits.responseBytesMax
  }

  async region(actions: RegionActions): Promise<RegionOutcome> {
    let region: RegionRef | undefined
    try {
      region = await this.#context.regions.ref(actions.region, this.#call)
      const isAtomic = actions.atomic || actions.condition !== undefined
      return isAtomic
        ? await this.#atomic(region, actions)
        : { outcomes: await this.#each(region, actions.actions) }
    } catch (error) {
      return { outcomes: [], error: region === undefined ? error : asRegionServer(error, region) }
    }
  }

  async #atomic(region: RegionRef, { actions, condition }: RegionActions): Promise<RegionOutcome> {
    const mutations = actions.map((action) => {
      if (action.kind === 'mutation') return action.mutation
      throw new HBaseError('DO_NOT_RETRY', 'Atomic put and/or delete only, not Get')
    })
    for (const mutation of mutations) checkCellSizes(mutation, this.#context.limits.cellBytesMax)
    const row = rowMutation({ mutations, condition: condition?.condition, nonceGroup: this.#nonceGroup })
    const { applied, results } = await this.#context.store.rows.mutateRow(region, row, this.#call)
    this.#lent.push(results)
    const [first, ...others] = actions
    const hasResult = applied && row.returnResults === true
    const count = results.counts[0] ?? 0
    const outcome: Outcome = hasResult
      ? { kind: 'result', index: first!.index, cells: results.cells, count }
      : { kind: 'done', index: first!.index }
    const rest = others.map(({ index }) => ({ kind: 'done' as const, index }))
    return { outcomes: [outcome, ...rest], processed: applied }
  }

  /** In their order; neighbours that the store takes together go to it together. */
  async #each(region: RegionRef, actions: readonly Action[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (let at = 0; at < actions.length; ) {
      const first = actions[at]!
      const end = endOfKin(actions, at)
      const kin = actions.slice(at, end)
      at = end
      if (first.kind === 'service') outcomes.push(await this.#service(region, first))
      else if (first.kind === 'get') outcomes.push(...(await this.#gets(region, kin)))
      else if (isPlain(first.mutation)) outcomes.push(...(await this.#mutations(region, kin)))
      else outcomes.push(await this.#change(region, first.index, first.mutation))
    }
    return outcomes
  }

  async #gets(region: RegionRef, actions: readonly Action[]): Promise<Outcome[]> {
    const gets = actions.flatMap((action) => (action.kind === 'get' ? [action] : []))
    try {
      if (this.#bytesLeft <= 0)
        return gets.map(({ index }) => ({ kind: 'failed', index, error: answerIsFull() }))
      const limits = { bytes: this.#bytesLeft }
      const asked = gets.map(({ get }) => get.get)
      const results = await this.#context.store.rows.get(region, asked, limits, this.#call)
      this.#lent.push(results)
      this.#bytesLeft -= results.cells.byteLength
      const cursor = new CellCursor(results.cells)
      return gets.map(({ index, get }, i): Outcome => {
        const count = results.counts[i]
        if (count === undefined) return { kind: 'failed', index, error: answerIsFull() }
        const start = cursor.position
        for (let cell = 0; cell < count; cell++) cursor.next()
        if (get.existenceOnly) return { kind: 'exists', index, exists: count > 0 }
        const cells = new CellBlock(results.cells.buffer, start, cursor.position)
        return { kind: 'result', index, cells, count }
      })
    } catch (error) {
      if (gets.length === 1 || concernsRegion(error)) return failed(gets, asRegionServer(error, region))
      // One of them is at fault, such as by a family that is not there: each then gets its own answer.
      const outcomes: Outcome[] = []
      for (const get of gets) outcomes.push(...(await this.#gets(region, [get])))
      return outcomes
    }
  }

  async #mutations(region: RegionRef, actions: readonly Action[]): Promise<Outcome[]> {
    const batch = new MutationBatch()
    const refused: Outcome[] = []
    const taken: number[] = []
    for (const action of actions) {
      if (action.kind !== 'mutation') continue
      try {
        checkCellSizes(action.mutation, this.#context.limits.cellBytesMax)
        appendTo(batch, action.mutation)
        taken.push(action.index)
      } catch (error) {
        refused.push({ kind: 'failed', index: action.index, error })
      }
    }
    try {
      const failures = await this.#context.store.rows.mutate(region, batch, this.#call)
      const errorOf = new Map(failures.map(({ index, error }) => [index, error]))
      const outcomes = taken.map((index, i): Outcome => {
        const error = errorOf.get(i)
        return error === undefined
          ? { kind: 'done', index }
          : { kind: 'failed', index, error: asRegionServer(error, region) }
      })
      return [...outcomes, ...refused]
    } catch (error) {
      const known = asRegionServer(error, region)
      return [...taken.map((index): Outcome => ({ kind: 'failed', index, error: known })), ...refused]
    }
  }

  async #service(region: RegionRef, { index, service }: Action & { kind: 'service' }): Promise<Outcome> {
    try {
      const { name, value } = await this.#context.endpoints.run(region, service, this.#call)
      return { kind: 'served', index, name: name!, value: value! }
    } catch (error) {
      return { kind: 'failed', index, error: asRegionServer(error, region) }
    }
  }

  async #change(region: RegionRef, index: number, mutation: MutationMessage): Promise<Outcome> {
    try {
      checkCellSizes(mutation, this.#context.limits.cellBytesMax)
      const row = rowMutation({ mutations: [mutation], nonceGroup: this.#nonceGroup })
      const { results } = await this.#context.store.rows.mutateRow(region, row, this.#call)
      this.#lent.push(results)
      if (row.returnResults !== true) return { kind: 'done', index }
      return { kind: 'result', index, cells: results.cells, count: results.counts[0] ?? 0 }
    } catch (error) {
      return { kind: 'failed', index, error: asRegionServer(error, region) }
    }
  }
}

function concernsRegion(error: unknown): boolean {
  return (
    !isHBaseError(error) || (error.code !== 'NO_SUCH_COLUMN_FAMILY' && error.code !== 'NOT_SERVING_REGION')
  )
}

function failed(actions: readonly Action[], error: unknown): Outcome[] {
  return actions.map(({ index }) => ({ kind: 'failed', index, error }))
}

/** The client asks for the rest again at once. */
function answerIsFull(): HBaseError {
  return new HBaseError('REGION_TOO_BUSY', 'Max size exceeded: the answer is full', {
    javaClass: 'org.apache.hadoop.hbase.MultiActionResultTooLarge',
  })
}

/** Behind the last action of the same kind as the one at `from`. */
function endOfKin(actions: readonly Action[], from: number): number {
  const first = actions[from]!
  let end = from + 1
  while (end < actions.length && isKin(first, actions[end]!)) end++
  return end
}

function isKin(first: Action, next: Action): boolean {
  if (first.kind === 'get') return next.kind === 'get'
  return (
    first.kind === 'mutation' && isPlain(first.mutation) && next.kind === 'mutation' && isPlain(next.mutation)
  )
}

function answer(regions: readonly RegionOutcome[], takesCellBlocks: boolean, release: () => void): RpcAnswer {
  const cells: CellBlock[] = []
  for (const { outcomes, processed } of regions) {
    // A change of a row has its cells within the message.
    if (!takesCellBlocks || processed !== undefined) continue
    for (const outcome of outcomes)
      if (outcome.kind === 'result' && outcome.count > 0) cells.push(outcome.cells)
  }
  const write = (writer: MessageWriter): void => {
    for (const region of regions) writeRegion(writer, region, takesCellBlocks)
    // Clients before 2.3 look for it here.
    const only = regions.find(({ processed }) => processed !== undefined)
    if (only !== undefined) writer.bool(Field.MultiResponse.processed, only.processed!)
  }
  return { write, cells, release }
}

function writeRegion(writer: MessageWriter, region: RegionOutcome, takesCellBlocks: boolean): void {
  const { outcomes, error, processed } = region
  const field = Field.RegionActionResult
  const start = writer.begin(Field.MultiResponse.regionActionResult)
  for (const outcome of outcomes) {
    const each = writer.begin(field.resultOrException)
    writeOutcome(writer, outcome, takesCellBlocks && processed === undefined)
    writer.end(each)
  }
  if (error !== undefined) writeException(writer, field.exception, error)
  if (processed !== undefined) writer.bool(field.processed, processed)
  writer.end(start)
}

function writeOutcome(writer: MessageWriter, outcome: Outcome, takesCellBlocks: boolean): void {
  const field = Field.ResultOrException
  writer.uint32(field.index, outcome.index)
  if (outcome.kind === 'failed') writeException(writer, field.exception, outcome.error)
  else if (outcome.kind === 'done') writer.end(writer.begin(field.result))
  else if (outcome.kind === 'served') writeServed(writer, outcome)
  else if (outcome.kind === 'exists') writeExistence(writer, field.result, outcome.exists)
  else if (takesCellBlocks) writeCount(writer, field.result, outcome.count)
  else writeCells(writer, field.result, outcome.cells)
}

function writeException(writer: MessageWriter, field: number, error: unknown): void {
  const { javaClass, remoteStack } = javaException(error)
  const start = writer.begin(field)
  writer.string(Field.NameBytesPair.name, javaClass)
  writer.string(Field.NameBytesPair.value, remoteStack)
  writer.end(start)
}

/** A CoprocessorServiceResult. */
function writeServed(writer: MessageWriter, { name, value }: Outcome & { kind: 'served' }): void {
  const start = writer.begin(Field.ResultOrException.serviceResult)
  const pair = writer.begin(Field.CoprocessorServiceResult.value)
  writer.string(Field.NameBytesPair.name, name)
  writer.bytes(Field.NameBytesPair.value, Buffer.from(value.buffer, value.byteOffset, value.byteLength))
  writer.end(pair)
  writer.end(start)
}
