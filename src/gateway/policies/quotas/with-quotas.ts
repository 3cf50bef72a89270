/** A store with quotas (hbase.quota.enabled): it keeps, lists and enforces them. */

import { isHBaseError } from '../../../model/errors.ts'
import type { TableName } from '../../../model/table-name.ts'
import { type Call, OWN_CALL } from '../../../store/call.ts'
import { withFacets, withMethods } from '../../../store/decorate.ts'
import { type Around, type Interceptor, intercepted } from '../../../store/interceptors.ts'
import type { Quotas } from '../../../store/quotas.ts'
import type { Snapshots } from '../../../store/snapshots.ts'
import type { Store } from '../../../store/store.ts'
import { type Target, targetTable } from '../../../store/target.ts'
import type { RegionUpkeep } from '../../../store/upkeep.ts'
import type { AdvertisedCatalog, AdvertisedRegion, AdvertisedStore } from '../../catalog/advertised.ts'
import { allTables } from '../../catalog/listed-tables.ts'
import { ChangeTimes } from '../own-tables/change-times.ts'
import { makeOwnTable } from '../own-tables/made-table.ts'
import { noticedChanges, noticedWrites } from '../own-tables/noticed-changes.ts'
import { NamespaceAuditor } from './namespace-auditor.ts'
import { QuotaCache } from './quota-cache.ts'
import { QUOTA_DESCRIPTOR, QUOTA_TABLE } from './quota-rows.ts'
import { QuotaTable } from './quota-table.ts'
import { SpaceObserver } from './space-observer.ts'
import { SpacePolicies, spaceLimitedCatalog, spaceLimitedRows, spaceLimitedUpkeep } from './space-policies.ts'
import { StoredQuotas } from './stored-quotas.ts'
import { throttled } from './throttled.ts'

/**
 * `keeper`: the same store for the server's own writes, also where clients may not write. `now`: milliseconds since any fixed
 * moment.
 */
export async function withQuotas(
  store: AdvertisedStore,
  keeper: Store,
  now?: () => number,
): Promise<AdvertisedStore> {
  await makeOwnTable(keeper.catalog, QUOTA_DESCRIPTOR)
  const times = new ChangeTimes()
  const observer = new SpaceObserver(store, new QuotaTable(keeper, times))
  const { switches } = store.upkeep
  const cache = new QuotaCache(new QuotaTable(keeper, times), switches)
  const policies = new SpacePolicies(observer, cache, store.catalog, now)
  const quotas = new StoredQuotas(new QuotaTable(store, times, () => cache.changed()), observer)
  const auditor = new NamespaceAuditor(store.catalog)
  const { rows, catalog, upkeep } = intercepted(store, observed(observer, cache))
  const { regions, snapshots } = upkeep
  const limited = withFacets(store, {
    rows: spaceLimitedRows(rows, policies),
    catalog: spaceLimitedCatalog(auditedCatalog(catalog, auditor, quotas), policies),
    upkeep: {
      ...spaceLimitedUpkeep(upkeep, policies, catalog),
      quotas: lookingQuotas(quotas, policies),
      ...(regions && { regions: auditedRegions(regions, catalog, auditor) }),
      ...(snapshots && { snapshots: auditedSnapshots(snapshots, catalog, auditor) }),
    },
  })
  return intercepted(limited, throttled(cache, now))
}

/** A changed limit of space takes effect at once. HBase applies it by chores, within minutes. */
function lookingQuotas(quotas: StoredQuotas, policies: SpacePolicies): Quotas {
  const own: Quotas = quotas
  return withMethods(own, {
    setQuota: async (change, call) => {
      await own.setQuota(change, call)
      if (change.space !== undefined || change.removesAll === true) await policies.look()
    },
  })
}

/**
 * Reports changes of hbase:quota and of the switches to the cache. Refreshes the used space in hbase:quota before a read of it. Requests of
 * other tables cost one comparison of a name more.
 */
function observed(observer: SpaceObserver, cache: QuotaCache): Interceptor {
  const changed = (): void => cache.changed()
  const writes = noticedWrites(QUOTA_TABLE, changed)
  const changes = noticedChanges(QUOTA_TABLE, changed)
  const turned: Around = (call, _, next) => (next(call) as Promise<unknown>).finally(changed)
  const refreshedFirst: Around = (call, [target], next) =>
    targetTable(target as Target) === QUOTA_TABLE ? refreshed(observer).then(() => next(call)) : next(call)
  return (operation) => {
    const { facet, method } = operation
    if (facet === 'switches' && method === 'turn') return turned
    if (facet === 'rows' && operation.changes === 'nothing') return refreshedFirst
    return writes(operation) ?? changes(operation)
  }
}

/** Ignores errors of the store: the read that follows reports a fault of the table itself. */
async function refreshed(observer: SpaceObserver): Promise<void> {
  try {
    await observer.refresh(OWN_CALL)
  } catch (error) {
    if (!isHBaseError(error)) throw error
  }
}

function auditedCatalog(
  catalog: AdvertisedCatalog,
  auditor: NamespaceAuditor,
  quotas: StoredQuotas,
): AdvertisedCatalog {
  return withMethods(catalog, {
    createTable: (table, splitKeys, call) =>
      auditor.create(table.name, splitKeys.length + 1, call, () =>
        catalog.createTable(table, splitKeys, call),
      ),
    deleteTable: async (table, call) => {
      await catalog.deleteTable(table, call)
      if (table !== QUOTA_TABLE) await quotas.forget({ table }, call)
    },
    deleteNamespace: async (namespace, call) => {
      await catalog.deleteNamespace(namespace, call)
      await quotas.forget({ namespace }, call)
    },
  })
}

function auditedRegions(
  regions: RegionUpkeep,
  catalog: AdvertisedCatalog,
  auditor: NamespaceAuditor,
): RegionUpkeep {
  const split = async (name: Buffer, at: Buffer | undefined, call: Call): Promise<void> => {
    const region = (await auditor.hasLimits(call)) ? await findRegion(catalog, name, call) : undefined
    const work = (): Promise<void> => regions.splitRegion(name, at, call)
    return region === undefined ? work() : auditor.split(region, call, work)
  }
  return withMethods(regions, {
    splitRegion: split,
    splitTable: async (table, at, call) => {
      if (!(await auditor.hasLimits(call))) return regions.splitTable(table, at, call)
      const [first] = await catalog.regions(table, call)
      await auditor.split(first!, call, () => regions.splitTable(table, at, call))
    },
  })
}

/** The region by its full or its encoded name; undefined where there is none. */
async function findRegion(
  catalog: AdvertisedCatalog,
  name: Buffer,
  call: Call,
): Promise<AdvertisedRegion | undefined> {
  const encoded = name.toString('latin1')
  for (const { name: table } of await allTables(catalog, call)) {
    const found = await catalog.regions(table, call)
    const region = found.find((each) => each.name.equals(name) || each.encodedName === encoded)
    if (region !== undefined) return region
  }
  return undefined
}

function auditedSnapshots(
  snapshots: Snapshots,
  catalog: AdvertisedCatalog,
  auditor: NamespaceAuditor,
): Snapshots {
  return withMethods(snapshots, {
    cloneSnapshot: async (name, table, call, options) => {
      const taken = await find(name, call)
      const clone = (): Promise<void> => snapshots.cloneSnapshot(name, table, call, options)
      return taken === undefined ? clone() : auditor.create(table, taken.regions ?? 1, call, clone)
    },
    restoreSnapshot: async (name, call, options) => {
      const taken = await find(name, call)
      const restore = (): Promise<void> => snapshots.restoreSnapshot(name, call, options)
      if (taken?.regions === undefined) return restore()
      return (await catalog.tableExists(taken.table, call))
        ? auditor.replace(taken.table, taken.regions, call, restore)
        : auditor.create(taken.table, taken.regions, call, restore)
    },
  })
  async function find(
    name: string,
    call: Call,
  ): Promise<{ table: TableName; regions?: number | undefined } | undefined> {
    return (await snapshots.listSnapshots(call)).find((snapshot) => snapshot.name === name)
  }
}
