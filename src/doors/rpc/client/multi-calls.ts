/** The calls that a Multi makes to the store, and the bytes that are left for its answer. */

import type { OwnTurns } from '../../../gateway/requests/own-turns.ts'
import { CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { MutationBatch, RowMutation } from '../../../model/mutation.ts'
import type { Results } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { RowMutationOutcome } from '../../../store/rows.ts'
import type { RpcRequest } from '../contract/rpc-service.ts'
import type { MutationMessage } from '../messages/read-mutation.ts'
import type { NamedRegion } from '../regions/named-region.ts'
import type { Action } from './action.ts'
import { answerBytesMax, asRegionServer, type ClientContext, isRegionGone } from './client-context.ts'
import { answerIsFull, noMemoryLeft, unbounded } from './full-answers.ts'
import type { Outcome } from './multi-answer.ts'
import { batchOf, rowMutation } from './row-mutations.ts'

export class MultiCalls {
  /** Bytes that the answer may still take: an action that finds none left is refused. */
  bytesLeft: number
  readonly #context: ClientContext
  readonly #call: Call
  readonly #nonceGroup: bigint
  readonly #lent: Results[]
  readonly #turns: OwnTurns
  readonly #takesFullAnswers: boolean

  /** `lent` gets the results that the store has lent. `bytesMax`: most bytes of the answer's cells, beyond its first row. */
  constructor(
    context: ClientContext,
    { call, release }: RpcRequest,
    nonceGroup: bigint,
    lent: Results[],
    turns: OwnTurns,
    bytesMax: number,
  ) {
    this.#context = context
    this.#call = call
    this.#nonceGroup = nonceGroup
    this.#lent = lent
    this.#turns = turns
    this.#takesFullAnswers = release.takesFullAnswers
    const bytes = answerBytesMax(release.takesFullAnswers ? context : unbounded(context))
    this.bytesLeft = Math.min(bytesMax, bytes)
  }

  /** Throws where the region is gone. */
  async gets(region: NamedRegion, actions: readonly Action[]): Promise<Outcome[]> {
    const gets: (Action & { kind: 'get' })[] = []
    for (const action of actions) if (action.kind === 'get') gets.push(action)
    try {
      if (this.bytesLeft <= 0)
        return gets.map(({ index }) => ({ kind: 'failed', index, error: this.#isFull() }))
      const limits = { bytes: this.bytesLeft }
      const asked = gets.map(({ get }) => get.get)
      const results = await this.#context.store.rows.get(region, asked, limits, this.#call)
      this.#lent.push(results)
      this.bytesLeft -= results.cells.byteLength
      const cursor = new CellCursor(results.cells)
      return gets.map(({ index, get }, i): Outcome => {
        const count = results.counts[i]
        if (count === undefined) return { kind: 'failed', index, error: this.#isFull() }
        const start = cursor.position
        for (let cell = 0; cell < count; cell++) cursor.next()
        if (get.existenceOnly) return { kind: 'exists', index, exists: count > 0 }
        const cells = new CellBlock(results.cells.buffer, start, cursor.position)
        return { kind: 'result', index, cells, count }
      })
    } catch (error) {
      if (isRegionGone(error)) throw error
      if (gets.length === 1 || concernsRegion(error)) return failed(gets, asRegionServer(error, region))
      // One get may have failed all of them, such as by an unknown family: read each alone.
      const outcomes: Outcome[] = []
      for (const get of gets) {
        await this.#turns.pause()
        outcomes.push(...(await this.gets(region, [get])))
      }
      return outcomes
    }
  }

  /** Successive plain mutations. Throws where the region is gone. */
  async mutations(region: NamedRegion, actions: readonly Action[]): Promise<Outcome[]> {
    const mutations: MutationMessage[] = []
    const indexes: number[] = []
    for (const action of actions) {
      if (action.kind !== 'mutation') continue
      mutations.push(action.mutation)
      indexes.push(action.index)
    }
    const outcomes = await this.store(region, batchOf(mutations), indexes)
    return outcomes ?? indexes.map((index) => ({ kind: 'done', index }))
  }

  /** Undefined: all are done. Throws where the region is gone. */
  async store(
    region: NamedRegion,
    batch: MutationBatch,
    indexes: readonly number[],
  ): Promise<Outcome[] | undefined> {
    try {
      const failures = await this.#context.store.rows.mutate(region, batch, this.#call)
      if (failures.length === 0) return undefined
      const outcomes = indexes.map((index): Outcome => ({ kind: 'done', index }))
      for (const { index, error } of failures)
        outcomes[index] = { kind: 'failed', index: indexes[index]!, error: asRegionServer(error, region) }
      return outcomes
    } catch (error) {
      if (isRegionGone(error)) throw error
      const known = asRegionServer(error, region)
      return indexes.map((index) => ({ kind: 'failed', index, error: known }))
    }
  }

  /** See increments-together.ts. Throws where the region is gone. */
  async increments(region: NamedRegion, actions: readonly Action[]): Promise<Outcome[]> {
    const begun: Promise<Outcome>[] = []
    for (const action of actions)
      if (action.kind === 'mutation') begun.push(this.change(region, action.index, action.mutation))
    const ended = await Promise.allSettled(begun)
    const [first] = ended
    if (first?.status === 'rejected' && ended.every(({ status }) => status === 'rejected')) throw first.reason
    return ended.map((outcome, at): Outcome => {
      if (outcome.status === 'fulfilled') return outcome.value
      return { kind: 'failed', index: actions[at]!.index, error: asRegionServer(outcome.reason, region) }
    })
  }

  /** Throws where the region is gone. */
  async service(region: NamedRegion, { index, service }: Action & { kind: 'service' }): Promise<Outcome> {
    try {
      const { name, value } = await this.#context.endpoints.run(region, service, this.#call)
      return { kind: 'served', index, name: name!, value: value! }
    } catch (error) {
      if (isRegionGone(error)) throw error
      return { kind: 'failed', index, error: asRegionServer(error, region) }
    }
  }

  /** Changes a row. Throws before the change where the answer is full: the answer to an append of one byte may have 10 MB. */
  async changeRow(region: NamedRegion, row: RowMutation): Promise<RowMutationOutcome> {
    if (this.bytesLeft <= 0) throw this.#isFull()
    const outcome = await this.#context.store.rows.mutateRow(region, row, this.#call)
    this.#lent.push(outcome.results)
    this.bytesLeft -= outcome.results.cells.byteLength
    return outcome
  }

  #isFull(): HBaseError {
    return this.#takesFullAnswers ? answerIsFull() : noMemoryLeft()
  }

  /** Throws where the region is gone. */
  async change(region: NamedRegion, index: number, mutation: MutationMessage): Promise<Outcome> {
    try {
      const row = rowMutation({ mutations: [mutation], nonceGroup: this.#nonceGroup })
      const { results } = await this.changeRow(region, row)
      if (row.returnResults !== true) return { kind: 'result', index, cells: CellBlock.EMPTY, count: 0 }
      return { kind: 'result', index, cells: results.cells, count: results.counts[0] ?? 0 }
    } catch (error) {
      if (isRegionGone(error)) throw error
      return { kind: 'failed', index, error: asRegionServer(error, region) }
    }
  }
}

function concernsRegion(error: unknown): boolean {
  return (
    !isHBaseError(error) || (error.code !== 'NO_SUCH_COLUMN_FAMILY' && error.code !== 'NOT_SERVING_REGION')
  )
}

/** The outcome of actions that have all failed for one reason. */
export function failed(actions: readonly Action[], error: unknown): Outcome[] {
  return actions.map(({ index }) => ({ kind: 'failed', index, error }))
}
