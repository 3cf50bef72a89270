import type { CellBlock } from '../../../src/model/cell-block.ts'
import type { MutationBatch } from '../../../src/model/mutation.ts'
import { type Target, targetTable } from '../../../src/store/target.ts'
import type { RegionGroup } from '../batch/region-groups.ts'
import type { Batch, FailedItems } from '../batch/run-batch.ts'
import { unanswered } from '../batch/unanswered.ts'
import { rowAt } from '../cells/cell-offsets.ts'
import { appendBlock } from '../cells/result-cells.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import { MULTI, type RegionAction } from '../messages/multi-method.ts'
import type { Mutation } from '../messages/write-mutation.ts'
import type { CallOptions, RpcConnection } from '../rpc/rpc-connection.ts'
import type { MutationStep } from './mutation-steps.ts'
import { sentOptions } from './sent-options.ts'

/** Approximate bytes of a mutation in a request, beside its row and cells. */
const MUTATION_BYTES = 40

/** The mutations that one RegionAction sends. */
interface SentAction {
  readonly region: LocatedRegion
  /** Indexes of the items; a single one where the action is atomic. */
  readonly items: number[]
  readonly isAtomic: boolean
  readonly mutations: Mutation[]
}

/** The mutations of a batch; their cells are sent without a copy. */
export class BatchMutations implements Batch {
  readonly operation: string
  readonly rowOperation = 'batchMutate'
  readonly target: Target
  readonly #batch: MutationBatch
  /** For each item, the steps of the batch's mutation at `#indexes[item]`. */
  readonly #steps: readonly (readonly MutationStep[])[]
  readonly #indexes: readonly number[]
  readonly #rows: readonly Buffer[]

  /** The items are the batch's mutations at `indexes`; `steps` has the steps of each. */
  constructor(
    target: Target,
    batch: MutationBatch,
    indexes: readonly number[],
    steps: readonly (readonly MutationStep[])[],
  ) {
    this.operation = `mutation of ${targetTable(target)}`
    this.target = target
    this.#batch = batch
    this.#indexes = indexes
    this.#steps = steps
    const { ends, cells } = batch
    this.#rows = indexes.map((index) => rowAt(cells.buffer, index === 0 ? 0 : ends[index - 1]!))
  }

  get length(): number {
    return this.#indexes.length
  }

  rowOf(item: number): Buffer {
    return this.#rows[item]!
  }

  bytesOf(item: number): number {
    const { ends } = this.#batch
    const index = this.#indexes[item]!
    const start = index === 0 ? 0 : ends[index - 1]!
    return ends[index]! - start + this.rowOf(item).length + MUTATION_BYTES
  }

  async call(
    connection: RpcConnection,
    groups: readonly RegionGroup[],
    options: CallOptions,
  ): Promise<readonly FailedItems[]> {
    const cells: CellBlock[] = []
    const actions = groups.flatMap((group) => this.#actionsOf(group, cells))
    const regionActions = actions.map(
      ({ region, isAtomic, mutations }): RegionAction => ({
        regionName: region.name,
        mutations,
        atomic: isAtomic,
      }),
    )
    const request = { regionActions, nonceGroup: 0n }
    const { message } = await connection.call(MULTI, request, { ...options, cells })
    const failed: FailedItems[] = []
    for (const [position, { region, items, isAtomic }] of actions.entries()) {
      const answer = message[position]
      const { exception, results = [] } = answer ?? {}
      if (exception !== undefined) failed.push({ region, items, error: exception })
      // The server answers an atomic action as a whole, with or without results.
      else if (!isAtomic || answer === undefined) failed.push(...unanswered(region, items, results))
      for (const { index, exception: error } of results) {
        if (error !== undefined) failed.push({ region, items: [items[isAtomic ? 0 : index]!], error })
      }
    }
    return failed
  }

  /** The group's actions, in the order of its items; adds their cells to `cells`. */
  #actionsOf({ region, items }: RegionGroup, cells: CellBlock[]): SentAction[] {
    const actions: SentAction[] = []
    for (const item of items) {
      const mutations = this.#mutationsOf(item, cells)
      const last = actions.at(-1)
      if (mutations.length > 1) actions.push({ region, items: [item], isAtomic: true, mutations })
      else if (last === undefined || last.isAtomic) {
        actions.push({ region, items: [item], isAtomic: false, mutations })
      } else {
        last.items.push(item)
        last.mutations.push(...mutations)
      }
    }
    return actions
  }

  #mutationsOf(item: number, cells: CellBlock[]): Mutation[] {
    const row = this.rowOf(item)
    const { durability, ttlMs, attributes } = sentOptions(this.#batch.options[this.#indexes[item]!]!)
    return this.#steps[item]!.map(({ type, cells: own, cellCount, timestamp }) => {
      appendBlock(cells, own)
      return {
        type,
        row,
        cellCount,
        durability,
        ttlMs,
        attributes,
        nonce: 0n,
        timestamp,
      }
    })
  }
}
