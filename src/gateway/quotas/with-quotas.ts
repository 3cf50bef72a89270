/** A store whose hbase.quota.enabled is true. Its requests are not slowed down: quotas are kept and told. */

import { isHBaseError } from '../../model/errors.ts'
import type { TableName } from '../../model/table-name.ts'
import { type Call, OWN_CALL } from '../../store/call.ts'
import { withFacets, withMethods } from '../../store/decorate.ts'
import type { Rows } from '../../store/rows.ts'
import type { Store } from '../../store/store.ts'
import { targetTable } from '../../store/target.ts'
import type { RegionUpkeep, Snapshots } from '../../store/upkeep.ts'
import type { AdvertisedCatalog, AdvertisedRegion, AdvertisedStore } from '../advertised.ts'
import { allTables } from '../listed-tables.ts'
import { NamespaceAuditor } from './namespace-auditor.ts'
import { QUOTA_DESCRIPTOR, QUOTA_TABLE } from './quota-rows.ts'
import { QuotaTable } from './quota-table.ts'
import { SpaceObserver } from './space-observer.ts'
import { StoredQuotas } from './stored-quotas.ts'

/** `keeper`: the same store for what the server writes itself, also where clients write nothing. */
export async function withQuotas(store: AdvertisedStore, keeper: Store): Promise<AdvertisedStore> {
  if (!(await keeper.catalog.tableExists(QUOTA_TABLE, OWN_CALL)))
    await keeper.catalog.createTable(QUOTA_DESCRIPTOR, [], OWN_CALL)
  const last = { at: 0 }
  const observer = new SpaceObserver(store, new QuotaTable(keeper, last))
  const quotas = new StoredQuotas(new QuotaTable(store, last), observer)
  const auditor = new NamespaceAuditor(store.catalog)
  const { regions, snapshots } = store.upkeep
  return withFacets(store, {
    catalog: auditedCatalog(store.catalog, auditor, quotas),
    upkeep: {
      ...store.upkeep,
      quotas,
      ...(regions && { regions: auditedRegions(regions, store.catalog, auditor) }),
      ...(snapshots && { snapshots: auditedSnapshots(snapshots, store.catalog, auditor) }),
    },
    rows: observedRows(store.rows, observer),
  })
}

/** Whoever reads hbase:quota finds there how much space is taken now. Reads of other tables cost one look at the name more. */
function observedRows(rows: Rows, observer: SpaceObserver): Rows {
  return withMethods(rows, {
    get: (target, ...asked) =>
      targetTable(target) === QUOTA_TABLE
        ? refreshed(observer).then(() => rows.get(target, ...asked))
        : rows.get(target, ...asked),
    openScanner: (target, ...asked) =>
      targetTable(target) === QUOTA_TABLE
        ? refreshed(observer).then(() => rows.openScanner(target, ...asked))
        : rows.openScanner(target, ...asked),
  })
}

/** A failure is none of the reader's, whose read tells what is wrong with the table. */
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

/** By its full or its encoded name. */
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
    cloneSnapshot: async (name, table, call) => {
      const taken = await find(name, call)
      const clone = (): Promise<void> => snapshots.cloneSnapshot(name, table, call)
      return taken === undefined ? clone() : auditor.create(table, taken.regions ?? 1, call, clone)
    },
    restoreSnapshot: async (name, call) => {
      const taken = await find(name, call)
      const restore = (): Promise<void> => snapshots.restoreSnapshot(name, call)
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
