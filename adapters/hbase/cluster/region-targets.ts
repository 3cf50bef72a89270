/**
 * The region that a request goes to: the region of its row or, where the client names a region, that region and no other,
 * even after its rows have moved to another.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import { replicaSuffix } from '../../../src/model/region-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { checkRowIsInRegion, type RowOperationName, regionNotOnline } from '../../../src/store/refusals.ts'
import type { RegionRef, Target } from '../../../src/store/target.ts'
import { FinalFailure } from '../retry/final-failure.ts'
import type { Attempt } from '../retry/retrier.ts'
import type { Time } from '../retry/time.ts'
import { unhurried } from '../retry/unhurried.ts'
import { within } from '../retry/within.ts'
import { copyOf, type LocatedRegion, NO_SERVER } from './meta-row.ts'
import type { RegionLocator } from './region-locator.ts'

export class RegionTargets {
  readonly #locator: RegionLocator
  readonly #time: Time
  /** Region lists under way, one per table: later requests wait for the same list. */
  readonly #lists = new Map<TableName, Promise<LocatedRegion[]>>()

  constructor(locator: RegionLocator, time: Time) {
    this.#locator = locator
    this.#time = time
  }

  /** The region for a request of the row if it is known: most calls find it here, without a promise. */
  cached(target: Target, row: Buffer): LocatedRegion | undefined {
    if (typeof target === 'string') return this.#locator.cached(target, row)
    const region = this.#locator.cached(target.table, row)
    return region?.encodedName === target.encodedName ? copyOf(region, target.replica ?? 0) : undefined
  }

  /** Throws as RegionLocator.locate, and a FinalFailure for an unknown region or one without the row. */
  async locate(
    target: Target,
    row: Buffer,
    operation: RowOperationName,
    attempt: Attempt,
  ): Promise<LocatedRegion> {
    if (typeof target === 'string') return this.#locator.locate(target, row, attempt)
    const region = await this.named(target, attempt)
    try {
      checkRowIsInRegion(row, region, operation)
    } catch (error) {
      throw new FinalFailure(error as HBaseError)
    }
    return region
  }

  /** The region of that name, or its copy. Throws a FinalFailure for an unknown one, NOT_SERVING_REGION where no server has it. */
  async named(ref: RegionRef, attempt: Attempt): Promise<LocatedRegion> {
    const known = this.#locator.cachedByName(ref)
    const region = (known && copyOf(known, ref.replica ?? 0)) ?? (await this.#listed(ref, attempt))
    if (region.server !== NO_SERVER) return region
    await this.#locator.checkEnabled(ref.table, attempt)
    throw new HBaseError('NOT_SERVING_REGION', `hbase:meta has no server for ${ref.encodedName}`)
  }

  /** hbase:meta has no index by encoded name: searches the list of the table's regions. */
  async #listed({ table, encodedName, replica = 0 }: RegionRef, attempt: Attempt): Promise<LocatedRegion> {
    const list = this.#lists.get(table) ?? this.#list(table, attempt)
    const regions = await within(this.#time, attempt.deadline, `finding a region of ${table}`, list)
    const listed = regions.find((candidate) => candidate.encodedName === encodedName)
    const region = listed && copyOf(listed, replica)
    if (region === undefined) throw new FinalFailure(regionNotOnline(encodedName + replicaSuffix(replica)))
    return region
  }

  #list(table: TableName, attempt: Attempt): Promise<LocatedRegion[]> {
    const shared = unhurried(attempt, this.#time)
    const list = this.#locator.regions(table, shared).finally(() => this.#lists.delete(table))
    list.catch(() => undefined)
    this.#lists.set(table, list)
    return list
  }
}
