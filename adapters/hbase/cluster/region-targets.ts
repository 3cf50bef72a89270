/**
 * The region that a request goes to: the region of its row or, where the client names a region, that region and no other,
 * even after its rows have moved to another.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import { replicaName } from '../../../src/model/region-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { checkRowIsInRegion, type RowOperationName, regionNotOnline } from '../../../src/store/refusals.ts'
import type { RegionRef, Target } from '../../../src/store/target.ts'
import { FinalFailure } from '../retry/final-failure.ts'
import type { Attempt } from '../retry/retrier.ts'
import { sharedAttempt } from '../retry/shared-attempt.ts'
import type { Time } from '../retry/time.ts'
import { within } from '../retry/within.ts'
import { copyOf, type LocatedRegion, NO_SERVER } from './meta-row.ts'
import { type RegionLocator, RegionWithoutServer } from './region-locator.ts'

export class RegionTargets {
  readonly #locator: RegionLocator
  readonly #time: Time
  /** Region lists under way, one per table: later requests wait for the same list. */
  readonly #lists = new Map<TableName, Promise<LocatedRegion[]>>()

  constructor(locator: RegionLocator, time: Time) {
    this.#locator = locator
    this.#time = time
  }

  /** The region for a request of the row, if it is known: most calls find it here, without a promise. */
  cached(target: Target, row: Buffer): LocatedRegion | undefined {
    if (typeof target === 'string') return this.#locator.cached(target, row)
    const region = this.#locator.cached(target.table, row)
    return region?.encodedName === target.encodedName ? servedCopy(region, target.replica) : undefined
  }

  /** The region for a request of the row. Throws as RegionLocator.locate, and a FinalFailure for an unknown region or one without the row. */
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

  /** The region that `locate` finds, for a reader of its copies: the region itself may be on no server. Throws as `locate`. */
  async withCopies(locate: () => Promise<LocatedRegion>): Promise<LocatedRegion> {
    try {
      return await locate()
    } catch (error) {
      if (error instanceof RegionWithoutServer) return error.region
      throw error
    }
  }

  /** The copy of a located region. Throws a FinalFailure where hbase:meta has none, NOT_SERVING_REGION where no server has it. */
  async copy(region: LocatedRegion, replica: number, attempt: Attempt): Promise<LocatedRegion> {
    const known = servedCopy(region, replica)
    if (known !== undefined) return known
    const { table, encodedName } = region
    const fresh = await this.#locator.named(table, region.name, attempt)
    if (fresh !== undefined) return this.#checkServer(copyOrRefusal(fresh, replica), attempt)
    const gone = regionNotOnline(encodedName)
    this.#locator.failed(region, gone)
    throw gone
  }

  /** The region of that name, or its copy. Throws a FinalFailure for an unknown one, NOT_SERVING_REGION where no server has it. */
  async named(ref: RegionRef, attempt: Attempt): Promise<LocatedRegion> {
    const known = this.#locator.cachedByName(ref)
    const served = known && servedCopy(known, ref.replica)
    return served ?? this.#checkServer(await this.#listed(ref, attempt), attempt)
  }

  async #checkServer(region: LocatedRegion, attempt: Attempt): Promise<LocatedRegion> {
    if (region.server !== NO_SERVER) return region
    await this.#locator.checkEnabled(region.table, attempt)
    throw new HBaseError('NOT_SERVING_REGION', `hbase:meta has no server for ${region.encodedName}`)
  }

  /** Searches the list of the table's regions: hbase:meta has no index by encoded name. */
  async #listed({ table, encodedName, replica }: RegionRef, attempt: Attempt): Promise<LocatedRegion> {
    const list = this.#lists.get(table) ?? this.#list(table, attempt)
    const regions = await within(this.#time, attempt.deadline, `finding a region of ${table}`, list)
    const region = regions.find((candidate) => candidate.encodedName === encodedName)
    if (region === undefined) throw new FinalFailure(regionNotOnline(encodedName))
    const copy = copyOrRefusal(region, replica)
    if (region.closedReplicas?.includes(replica ?? 0) === true) {
      await this.#locator.checkEnabled(table, attempt)
      // A region server would not wait for it either: the client locates the region anew.
      throw new FinalFailure(regionNotOnline(copy.encodedName))
    }
    return copy
  }

  #list(table: TableName, attempt: Attempt): Promise<LocatedRegion[]> {
    const shared = sharedAttempt(attempt, this.#time)
    const list = this.#locator.regions(table, shared).finally(() => this.#lists.delete(table))
    list.catch(() => undefined)
    this.#lists.set(table, list)
    return list
  }
}

/** The copy of a remembered region; undefined where no server has it. */
function servedCopy(region: LocatedRegion, replica = 0): LocatedRegion | undefined {
  const copy = copyOf(region, replica)
  return copy?.server === NO_SERVER ? undefined : copy
}

/** The copy of the region. Throws a FinalFailure where there is none. */
function copyOrRefusal(region: LocatedRegion, replica = 0): LocatedRegion {
  const copy = copyOf(region, replica)
  if (copy !== undefined) return copy
  throw new FinalFailure(regionNotOnline(replicaName(region.name, replica).encodedName))
}
