/** Refuses writes to tables that take more space than their quota. HBase: RegionServerSpaceQuotaManager. */

import { CellType } from '../../../model/cell.ts'
import { CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { RowPart } from '../../../model/mutation.ts'
import type { SpaceViolationPolicy } from '../../../model/quota.ts'
import type { TableName } from '../../../model/table-name.ts'
import { type Call, OWN_CALL } from '../../../store/call.ts'
import type { Catalog } from '../../../store/catalog.ts'
import { withMethods } from '../../../store/decorate.ts'
import type { MutationFailure, Rows } from '../../../store/rows.ts'
import { targetTable } from '../../../store/target.ts'
import type { Compactions, Upkeep } from '../../../store/upkeep.ts'
import type { AdvertisedCatalog } from '../../catalog/advertised.ts'
import { tableOfRegion } from '../../catalog/region-owner.ts'
import type { QuotaCache } from './quota-cache.ts'
import type { SpaceObserver } from './space-observer.ts'

/** The time between two reads of the sizes, which only requests of rows cause. HBase's chores run once a minute. */
const LOOK_MS = 1000

/** Mutations by the names of HBase's classes. */
type MutationName = 'Put' | 'Delete' | 'Increment' | 'Append'

export class SpacePolicies {
  readonly #observer: SpaceObserver
  readonly #cache: QuotaCache
  readonly #catalog: Catalog
  readonly #now: () => number
  #violated: ReadonlyMap<TableName, SpaceViolationPolicy> = new Map()
  #lookedAt = Number.NEGATIVE_INFINITY

  /** `now`: milliseconds since any fixed moment. */
  constructor(
    observer: SpaceObserver,
    cache: QuotaCache,
    catalog: Catalog,
    now: () => number = () => performance.now(),
  ) {
    this.#observer = observer
    this.#cache = cache
    this.#catalog = catalog
    this.#now = now
  }

  /** Has the sizes read again before the next request of rows. */
  changed(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }

  /** Reads the sizes now. Disables tables under the policy DISABLE, and enables them again once they are within their limits. */
  async look(): Promise<void> {
    if (!this.#cache.isCurrent) await this.#cache.load()
    this.#lookedAt = this.#now()
    const before = this.#violated
    this.#violated = await this.#found()
    for (const [table, policy] of this.#violated)
      if (policy === 'DISABLE') await ignoring(() => this.#catalog.disableTable(table, OWN_CALL))
    for (const [table, policy] of before) {
      const isOver = policy === 'DISABLE' && this.#violated.get(table) !== 'DISABLE'
      if (isOver) await ignoring(() => this.#catalog.enableTable(table, OWN_CALL))
    }
  }

  async #found(): Promise<Map<TableName, SpaceViolationPolicy>> {
    if (!this.#cache.hasSpaceQuotas) return new Map()
    const uses = [...(await this.#observer.uses(OWN_CALL))]
    return new Map(
      uses.flatMap(([table, { violated }]) => (violated === undefined ? [] : [[table, violated] as const])),
    )
  }

  /** The policy in effect for the table; undefined: none. */
  async policyOf(table: TableName, call: Call): Promise<SpaceViolationPolicy | undefined> {
    if (call.isOwn) return undefined
    if (!this.#cache.isCurrent) await this.#cache.load()
    if (!this.#cache.hasSpaceQuotas && this.#violated.size === 0) return undefined
    if (this.#now() - this.#lookedAt >= LOOK_MS) await this.look()
    return this.#violated.get(table)
  }

  /** True where no policy can be in effect, so that requests need no check. */
  get areNone(): boolean {
    return this.#cache.isCurrent && !this.#cache.hasSpaceQuotas && this.#violated.size === 0
  }
}

export function spaceLimitedRows(rows: Rows, policies: SpacePolicies): Rows {
  const checked = async <T>(
    table: TableName,
    call: Call,
    names: () => readonly MutationName[],
    work: () => Promise<T>,
  ): Promise<T> => {
    const refusal = refusalOf(await policies.policyOf(table, call), names())
    if (refusal !== undefined) throw refusal
    return work()
  }
  return withMethods(rows, {
    mutate: (target, batch, call) => {
      const work = (): Promise<readonly MutationFailure[]> => rows.mutate(target, batch, call)
      if (policies.areNone) return work()
      const names = (): MutationName[] => batch.ends.map((_, index) => nameOf(batch.blockOf(index)))
      return checked(targetTable(target), call, names, work).catch((error: unknown) => {
        if (!isSpaceRefusal(error)) throw error
        // One refused mutation refuses the whole batch, as on a region server.
        return batch.ends.map((_, index) => ({ index, error }))
      })
    },
    mutateRow: (target, mutation, call) => {
      const work = (): ReturnType<Rows['mutateRow']> => rows.mutateRow(target, mutation, call)
      return policies.areNone ? work() : checked(targetTable(target), call, () => namesOf([mutation]), work)
    },
    mutateRows: (target, mutation, call) => {
      const work = (): Promise<boolean> => rows.mutateRows(target, mutation, call)
      return policies.areNone
        ? work()
        : checked(targetTable(target), call, () => namesOf(mutation.parts), work)
    },
  })
}

/** Refuses to enable a table that is disabled for its space. HBase: HMaster.enableTable. */
export function spaceLimitedCatalog<Own extends Catalog>(catalog: Own, policies: SpacePolicies): Own {
  const own: Catalog = catalog
  return withMethods(own, {
    enableTable: async (table, call) => {
      policies.changed()
      if ((await policies.policyOf(table, call)) === 'DISABLE') {
        const reason = `Enabling the table '${table}' is disallowed due to a violated space quota.`
        throw new HBaseError('ACCESS_DENIED', reason)
      }
      await own.enableTable(table, call)
    },
  }) as Own
}

/** Refuses bulk loads. Ignores requests to compact a table that may not be compacted, as HBase's servers do. */
export function spaceLimitedUpkeep(
  { compactions, bulkLoads, ...others }: Upkeep,
  policies: SpacePolicies,
  catalog: AdvertisedCatalog,
): Upkeep {
  return {
    ...others,
    ...(compactions && { compactions: spaceLimitedCompactions(compactions, policies, catalog) }),
    ...(bulkLoads && {
      bulkLoads: withMethods(bulkLoads, {
        bulkLoad: async (region, files, call) => {
          const policy = await policies.policyOf(region.table, call)
          if (policy !== undefined)
            throw limited(
              policy,
              `Bulk load of ${files.map(({ path }) => path).join(', ')} is disallowed because the file(s) exceed the limits of a space quota.`,
            )
          return bulkLoads.bulkLoad(region, files, call)
        },
      }),
    }),
  }
}

function spaceLimitedCompactions(
  compactions: Compactions,
  policies: SpacePolicies,
  catalog: AdvertisedCatalog,
): Compactions {
  return withMethods(compactions, {
    compactTable: async (table, compaction, call) => {
      if ((await policies.policyOf(table, call)) === 'NO_WRITES_COMPACTIONS') return
      await compactions.compactTable(table, compaction, call)
    },
    compactRegion: async (region, compaction, call) => {
      const table = policies.areNone ? undefined : await tableOfRegion(catalog, region, call)
      const policy = table && (await policies.policyOf(table, call))
      if (policy !== 'NO_WRITES_COMPACTIONS') await compactions.compactRegion(region, compaction, call)
    },
  })
}

function refusalOf(
  policy: SpaceViolationPolicy | undefined,
  names: readonly MutationName[],
): HBaseError | undefined {
  if (policy === undefined) return undefined
  if (policy === 'DISABLE') return limited(policy, 'This table is disabled due to violating a space quota.')
  const name = policy === 'NO_INSERTS' ? names.find((each) => each !== 'Delete') : names[0]
  return name && limited(policy, `${name}s are disallowed due to a space quota.`)
}

function limited(policy: SpaceViolationPolicy, reason: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `${policy} ${reason}`, { javaClass: SPACE_LIMITING })
}

const SPACE_LIMITING = 'org.apache.hadoop.hbase.quotas.SpaceLimitingException'

function isSpaceRefusal(error: unknown): error is HBaseError {
  return isHBaseError(error) && error.javaClass === SPACE_LIMITING
}

function namesOf(parts: readonly RowPart[]): MutationName[] {
  return parts.flatMap(({ operations }) =>
    operations.map(({ kind, cells }) => {
      if (kind === 'increment') return 'Increment'
      return kind === 'append' ? 'Append' : nameOf(cells)
    }),
  )
}

/** The kind of a mutation: a put has only puts, a delete has none. */
function nameOf(cells: CellBlock): MutationName {
  const cursor = new CellCursor(cells)
  return cursor.next() && cursor.type === CellType.Put ? 'Put' : 'Delete'
}

/** Ignores errors of the catalog: the table may be deleted, or have that state already. */
async function ignoring(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isHBaseError(error)) throw error
  }
}
