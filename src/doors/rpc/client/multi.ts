/** ClientService.Multi: the actions of several regions in one call. HBase: RSRpcServices.multi. */

import { giveBack } from '../../../gateway/reads/loans.ts'
import { OwnTurns } from '../../../gateway/requests/own-turns.ts'
import { HBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import type { Results } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { RpcAnswer, RpcHandler, RpcRequest } from '../contract/rpc-service.ts'
import type { MutationMessage } from '../messages/read-mutation.ts'
import { isStale } from '../regions/copies.ts'
import type { NamedRegion } from '../regions/named-region.ts'
import type { Action } from './action.ts'
import { asRegionServer, type ClientContext } from './client-context.ts'
import { endOfIncrements } from './increments-together.ts'
import { multiAnswer, type Outcome, type RegionOutcome } from './multi-answer.ts'
import { failed, MultiCalls } from './multi-calls.ts'
import { inOrder } from './order-of-actions.ts'
import type { PlainActions } from './plain-actions.ts'
import { type RegionActions, readLargeMulti, readMulti } from './read-multi.ts'
import { endOfChanges } from './regions-together.ts'
import { checkRowOf, isCounting, isPlain, rowMutation, rowMutationInSteps } from './row-mutations.ts'
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
  readonly #failures = new SharedFailures()
  readonly #turns = new OwnTurns()
  readonly #calls: MultiCalls

  /** See MultiCalls. */
  constructor(
    context: ClientContext,
    request: RpcRequest,
    nonceGroup: bigint,
    lent: Results[],
    bytesMax: number,
  ) {
    this.#context = context
    this.#call = request.call
    this.#nonceGroup = nonceGroup
    this.#calls = new MultiCalls(context, request, nonceGroup, lent, this.#turns, bytesMax)
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
    const outcomes = await this.#calls.store(region, plain.batch(), indexes)
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
    const { applied, results } = await this.#calls.changeRow(region, row)
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
      const end = Math.max(endOfGroup(actions, at), endOfIncrements(actions, at, this.#calls.bytesLeft))
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
    if (first.kind === 'service') return [await this.#calls.service(region, first)]
    if (first.kind === 'get') return this.#calls.gets(region, group)
    if (region.replica > 0) return failed(group, await this.#context.regions.readOnlyOf(region, this.#call))
    if (isPlain(first.mutation)) return this.#calls.mutations(region, group)
    if (group.length > 1) return this.#calls.increments(region, group)
    return [await this.#calls.change(region, first.index, first.mutation)]
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
