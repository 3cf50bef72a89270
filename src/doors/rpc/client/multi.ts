/** ClientService.Multi: the actions of several regions in one call. HBase: RSRpcServices.multi. */

import { giveBack } from '../../../gateway/reads/loans.ts'
import { OwnTurns } from '../../../gateway/requests/own-turns.ts'
import { CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import type { MutationBatch, RowMutation } from '../../../model/mutation.ts'
import type { Results } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { RowMutationOutcome } from '../../../store/rows.ts'
import type { RpcAnswer, RpcHandler, RpcRequest } from '../contract/rpc-service.ts'
import type { MutationMessage } from '../messages/read-mutation.ts'
import { isStale } from '../regions/copies.ts'
import type { NamedRegion } from '../regions/named-region.ts'
import type { Action } from './action.ts'
import { answerBytesMax, asRegionServer, type ClientContext, isRegionGone } from './client-context.ts'
import { answerIsFull, noMemoryLeft, unbounded } from './full-answers.ts'
import { endOfIncrements } from './increments-together.ts'
import { multiAnswer, type Outcome, type RegionOutcome } from './multi-answer.ts'
import { inOrder } from './order-of-actions.ts'
import type { PlainActions } from './plain-actions.ts'
import { type RegionActions, readLargeMulti, readMulti } from './read-multi.ts'
import { endOfChanges } from './regions-together.ts'
import { batchOf, checkRowOf, isCounting, isPlain, rowMutation, rowMutationInSteps } from './row-mutations.ts'
import { SharedFailures } from './shared-failures.ts'

export function multiHandler(context: ClientContext): RpcHandler {
  const { store, limits } = context
  return async (request) => {
    const large = readLargeMulti(request, limits.batchMax)
    const { regions, nonceGroup } = large === undefined ? readMulti(request, limits.batchMax) : await large
    const isOfRequest = regions.some((region) => region.isOfRequest)
    const onlyReads = regions.every(areReads)
    const again = async (bytesMax: number): Promise<RpcAnswer> => {
      const lent: Results[] = []
      // One byte more, so that gets without cells behind the last cells are answered, too.
      const run = new MultiRun(context, request, nonceGroup, lent, bytesMax + 1)
      const outcomes = await run.regions(regions)
      const answered = { regions: outcomes, takesCellBlocks: request.takesCellBlocks, isOfRequest }
      const made = multiAnswer(answered, () => {
        for (const results of lent) giveBack(store.handouts, results)
      })
      const answer = made instanceof Promise ? await made : made
      return onlyReads ? { ...answer, again } : { ...answer, isOfChange: true }
    }
    return again(Number.POSITIVE_INFINITY)
  }
}

class MultiRun {
  readonly #context: ClientContext
  readonly #call: Call
  readonly #nonceGroup: bigint
  readonly #lent: Results[]
  readonly #failures = new SharedFailures()
  readonly #turns = new OwnTurns()
  readonly #takesFullAnswers: boolean
  #bytesLeft: number

  /** `bytesMax`: most bytes of the answer's cells, beyond its first row. */
  constructor(
    context: ClientContext,
    { call, release }: RpcRequest,
    nonceGroup: bigint,
    lent: Results[],
    bytesMax: number,
  ) {
    this.#context = context
    this.#call = call
    this.#nonceGroup = nonceGroup
    this.#lent = lent
    this.#takesFullAnswers = release.takesFullAnswers
    const bytes = answerBytesMax(release.takesFullAnswers ? context : unbounded(context))
    this.#bytesLeft = Math.min(bytesMax, bytes)
  }

  /** One region after the other, as HBase does: a full answer has no results of the later ones. Successive plain changes share commits. */
  async regions(regions: readonly RegionActions[]): Promise<RegionOutcome[]> {
    const outcomes: RegionOutcome[] = []
    for (let at = 0; at < regions.length; ) {
      const end = endOfChanges(regions, at)
      await this.#turns.pause()
      const begun = regions.slice(at, end).map((region) => this.#region(region))
      for (const outcome of begun) outcomes.push(await outcome)
      at = end
    }
    return outcomes
  }

  /** Resolves for failures, too. */
  async #region(actions: RegionActions): Promise<RegionOutcome> {
    let region: NamedRegion | undefined
    try {
      region = await this.#context.regions.ref(actions.region, this.#call)
      const outcome = await this.#run(region, actions)
      return { ...outcome, isStale: isStale(region) }
    } catch (error) {
      const known = region === undefined ? error : asRegionServer(error, region)
      return { outcomes: [], error: this.#failures.bounded(known) }
    }
  }

  #run(region: NamedRegion, actions: RegionActions): Promise<RegionOutcome> {
    if (actions.plain !== undefined) return this.#plain(region, actions.plain)
    if (actions.atomic || actions.condition !== undefined) return this.#atomic(region, actions)
    return this.#each(region, actions.actions)
  }

  async #plain(region: NamedRegion, plain: PlainActions): Promise<RegionOutcome> {
    const { indexes } = plain
    if (region.replica > 0) {
      const error = await this.#context.regions.readOnlyOf(region, this.#call)
      return { outcomes: indexes.map((index) => this.#bounded({ kind: 'failed', index, error })) }
    }
    const outcomes = await this.#store(region, plain.batch(), indexes)
    if (outcomes === undefined) return { outcomes: [], done: indexes }
    return { outcomes: outcomes.map((outcome) => this.#bounded(outcome)) }
  }

  async #atomic(
    region: NamedRegion,
    { actions, condition, isOfRequest = false }: RegionActions,
  ): Promise<RegionOutcome> {
    const placedIn = condition === undefined ? 'both' : isOfRequest ? 'request' : 'region'
    const kind = condition === undefined ? 'done' : 'conditional'
    // HBase does not check the condition where there are no actions.
    if (actions.length === 0) {
      return { outcomes: kind === 'done' ? [{ kind, index: 0 }] : [], processed: true, placedIn }
    }
    const mutations = actions.map(mutationOf)
    if (condition !== undefined) checkRowOf(condition, mutations)
    if (region.replica > 0) await this.#context.regions.checkIsWritable(region, this.#call)
    const change = { mutations, condition: condition?.condition, nonceGroup: this.#nonceGroup }
    const row =
      actions.length < MANY_ACTIONS ? rowMutation(change) : await manyATurn(rowMutationInSteps(change))
    await this.#turns.pause()
    const { applied, results } = await this.#changeRow(region, row)
    const [first, ...others] = actions
    // HBase answers an empty result where the client does not want the values of counters.
    const hasResult = applied && mutations.some(isCounting) && !isOfRequest
    const count = results.counts[0] ?? 0
    const outcome: Outcome = hasResult
      ? { kind: 'result', index: first!.index, cells: results.cells, count }
      : { kind, index: first!.index }
    const rest = others.map(({ index }) => ({ kind, index }) as const)
    return { outcomes: [outcome, ...rest], processed: applied, placedIn }
  }

  /** Runs independent actions in the order of `inOrder`. Successive actions of one kind go to the store together. */
  async #each(region: NamedRegion, asked: readonly Action[]): Promise<RegionOutcome> {
    const actions = inOrder(asked)
    const outcomes: Outcome[] = []
    for (let at = 0; at < actions.length; ) {
      const first = actions[at]!
      const end = Math.max(endOfGroup(actions, at), endOfIncrements(actions, at, this.#bytesLeft))
      const group = actions.slice(at, end)
      at = end
      await this.#turns.pause()
      try {
        for (const outcome of await this.#runGroup(region, first, group))
          outcomes.push(this.#bounded(outcome))
      } catch (error) {
        // The region was gone before the first action: it fails as a whole.
        if (outcomes.length === 0) throw error
        const rest = failed(actions.slice(outcomes.length), asRegionServer(error, region))
        for (const outcome of rest) outcomes.push(this.#bounded(outcome))
        break
      }
    }
    return { outcomes }
  }

  #bounded(outcome: Outcome): Outcome {
    return outcome.kind === 'failed' ? { ...outcome, error: this.#failures.bounded(outcome.error) } : outcome
  }

  /** Runs actions of one kind. Throws where the region is gone. */
  async #runGroup(region: NamedRegion, first: Action, group: readonly Action[]): Promise<Outcome[]> {
    if (first.kind === 'refused') return failed([first], first.error)
    if (first.kind === 'service') return [await this.#service(region, first)]
    if (first.kind === 'get') return this.#gets(region, group)
    if (region.replica > 0) return failed(group, await this.#context.regions.readOnlyOf(region, this.#call))
    if (isPlain(first.mutation)) return this.#mutations(region, group)
    if (group.length > 1) return this.#increments(region, group)
    return [await this.#change(region, first.index, first.mutation)]
  }

  async #gets(region: NamedRegion, actions: readonly Action[]): Promise<Outcome[]> {
    const gets: (Action & { kind: 'get' })[] = []
    for (const action of actions) if (action.kind === 'get') gets.push(action)
    try {
      if (this.#bytesLeft <= 0)
        return gets.map(({ index }) => ({ kind: 'failed', index, error: this.#isFull() }))
      const limits = { bytes: this.#bytesLeft }
      const asked = gets.map(({ get }) => get.get)
      const results = await this.#context.store.rows.get(region, asked, limits, this.#call)
      this.#lent.push(results)
      this.#bytesLeft -= results.cells.byteLength
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
        outcomes.push(...(await this.#gets(region, [get])))
      }
      return outcomes
    }
  }

  async #mutations(region: NamedRegion, actions: readonly Action[]): Promise<Outcome[]> {
    const mutations: MutationMessage[] = []
    const indexes: number[] = []
    for (const action of actions) {
      if (action.kind !== 'mutation') continue
      mutations.push(action.mutation)
      indexes.push(action.index)
    }
    const outcomes = await this.#store(region, batchOf(mutations), indexes)
    return outcomes ?? indexes.map((index) => ({ kind: 'done', index }))
  }

  /** Undefined: all are done. Throws where the region is gone. */
  async #store(
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
  async #increments(region: NamedRegion, actions: readonly Action[]): Promise<Outcome[]> {
    const begun: Promise<Outcome>[] = []
    for (const action of actions)
      if (action.kind === 'mutation') begun.push(this.#change(region, action.index, action.mutation))
    const ended = await Promise.allSettled(begun)
    const [first] = ended
    if (first?.status === 'rejected' && ended.every(({ status }) => status === 'rejected')) throw first.reason
    return ended.map((outcome, at): Outcome => {
      if (outcome.status === 'fulfilled') return outcome.value
      return { kind: 'failed', index: actions[at]!.index, error: asRegionServer(outcome.reason, region) }
    })
  }

  async #service(region: NamedRegion, { index, service }: Action & { kind: 'service' }): Promise<Outcome> {
    try {
      const { name, value } = await this.#context.endpoints.run(region, service, this.#call)
      return { kind: 'served', index, name: name!, value: value! }
    } catch (error) {
      if (isRegionGone(error)) throw error
      return { kind: 'failed', index, error: asRegionServer(error, region) }
    }
  }

  /** Changes a row. Throws before the change where the answer is full: the answer to an append of one byte may have 10 MB. */
  async #changeRow(region: NamedRegion, row: RowMutation): Promise<RowMutationOutcome> {
    if (this.#bytesLeft <= 0) throw this.#isFull()
    const outcome = await this.#context.store.rows.mutateRow(region, row, this.#call)
    this.#lent.push(outcome.results)
    this.#bytesLeft -= outcome.results.cells.byteLength
    return outcome
  }

  #isFull(): HBaseError {
    return this.#takesFullAnswers ? answerIsFull() : noMemoryLeft()
  }

  async #change(region: NamedRegion, index: number, mutation: MutationMessage): Promise<Outcome> {
    try {
      const row = rowMutation({ mutations: [mutation], nonceGroup: this.#nonceGroup })
      const { results } = await this.#changeRow(region, row)
      if (row.returnResults !== true) return { kind: 'result', index, cells: CellBlock.EMPTY, count: 0 }
      return { kind: 'result', index, cells: results.cells, count: results.counts[0] ?? 0 }
    } catch (error) {
      if (isRegionGone(error)) throw error
      return { kind: 'failed', index, error: asRegionServer(error, region) }
    }
  }
}

function areReads({ actions, plain }: RegionActions): boolean {
  return plain === undefined && actions.every(({ kind }) => kind === 'get')
}

/** The mutation of an action. Throws for an action that cannot be a part of a row's change. */
function mutationOf(action: Action): MutationMessage {
  if (action.kind === 'mutation') return action.mutation
  if (action.kind === 'refused') throw action.error
  throw new HBaseError('DO_NOT_RETRY', 'Atomic put and/or delete only, not a Get')
}

function concernsRegion(error: unknown): boolean {
  return (
    !isHBaseError(error) || (error.code !== 'NO_SUCH_COLUMN_FAMILY' && error.code !== 'NOT_SERVING_REGION')
  )
}

function failed(actions: readonly Action[], error: unknown): Outcome[] {
  return actions.map(({ index }) => ({ kind: 'failed', index, error }))
}

/** A change of so many actions is put together in several turns of the event loop. */
const MANY_ACTIONS = 1000
/** Most actions that go to the store together. So many failures, with their reasons, may be in memory at the same time. */
const GROUP_MAX = 10_000

/** The index behind the successive actions that are of the same kind as the one at `from`. */
function endOfGroup(actions: readonly Action[], from: number): number {
  const first = actions[from]!
  let end = from + 1
  const most = Math.min(actions.length, from + GROUP_MAX)
  while (end < most && isSameKind(first, actions[end]!)) end++
  return end
}

function isSameKind(first: Action, next: Action): boolean {
  if (first.kind === 'get') return next.kind === 'get'
  return (
    first.kind === 'mutation' && isPlain(first.mutation) && next.kind === 'mutation' && isPlain(next.mutation)
  )
}
