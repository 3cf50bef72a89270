/** The regions that this server serves, found by the names that clients send. */

import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import { allTables } from '../../../gateway/catalog/listed-tables.ts'
import {
  isOpen,
  type Replica,
  replicaNamed,
  replicaOfRegion,
  replicasOf,
} from '../../../gateway/catalog/replicas.ts'
import { abbreviated } from '../../../model/bytes.ts'
import { compareText } from '../../../model/compare-text.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { replication } from '../../../model/region-replication.ts'
import type { TableName } from '../../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import { regionNotOnline } from '../../../store/refusals.ts'
import type { NamedRegion } from './named-region.ts'
import { refOfName, rememberRef } from './read-region.ts'
import type { RegionSpecifier } from './region-specifier.ts'

export class ServedRegions {
  readonly #store: Pick<AdvertisedStore, 'catalog'>

  constructor(store: Pick<AdvertisedStore, 'catalog'>) {
    this.#store = store
  }

  /**
   * The region of a read or write. It is not checked here whether the region is served: the store does that. Throws NOT_SERVING_REGION for
   * a name that no region has.
   */
  ref(specifier: RegionSpecifier, call: Call): NamedRegion | Promise<NamedRegion> {
    const region = refOfName(specifier)
    if (region === undefined) return this.#search(specifier, call)
    return region.replica === 0 ? region : this.#copy(region, call)
  }

  /** The region of a request. Throws NOT_SERVING_REGION, also where the region is not served now. */
  async region(specifier: RegionSpecifier, call: Call): Promise<Replica> {
    return this.#served(await this.ref(specifier, call), call)
  }

  /** Throws the error of readOnlyOf for a copy. HBase: HRegion.checkReadOnly. */
  async checkIsWritable(region: NamedRegion, call: Call): Promise<void> {
    if (region.replica > 0) throw await this.readOnlyOf(region, call)
  }

  /** The error for a write to a copy. Throws NOT_SERVING_REGION for a copy that is not served. */
  async readOnlyOf(copy: NamedRegion, call: Call): Promise<HBaseError> {
    await this.#served(copy, onOwnBehalf(call))
    return new HBaseError('DO_NOT_RETRY', 'region is read only')
  }

  async #served(named: NamedRegion, call: Call): Promise<Replica> {
    const { catalog } = this.#store
    const { table, name } = named
    try {
      if ((await catalog.tableState(table, call)) === 'ENABLED') {
        const found = await replicaOfRegion(catalog, table, named, call)
        if (found !== undefined && isOpen(found)) return found
      }
    } catch (error) {
      if (!isHBaseError(error) || error.code !== 'TABLE_NOT_FOUND') throw error
    }
    throw regionNotOnline(name)
  }

  /** All open regions, ordered by table name and then by start key. HBase: RegionInfo.COMPARATOR. */
  async online(call: Call): Promise<Replica[]> {
    const regions: Replica[] = []
    const names = (await allTables(this.#store.catalog, onOwnBehalf(call))).map(({ name }) => name)
    for (const name of names.sort(compareText)) {
      regions.push(...(await this.#onlineOf(name, call)))
    }
    return regions
  }

  /** Throws NOT_SERVING_REGION for a copy that the table does not have. A cluster checks its copies itself. */
  async #copy(region: NamedRegion, call: Call): Promise<NamedRegion> {
    const { catalog } = this.#store
    if (catalog.hasSystemTables) return region
    try {
      if (region.replica < replication(await catalog.table(region.table, onOwnBehalf(call)))) return region
    } catch (error) {
      if (!isHBaseError(error) || error.code !== 'TABLE_NOT_FOUND') throw error
    }
    throw regionNotOnline(region.name)
  }

  async #onlineOf(table: TableName, call: Call): Promise<Replica[]> {
    const { catalog } = this.#store
    if ((await catalog.tableState(table, call)) !== 'ENABLED') return []
    return (await replicasOf(catalog, table, call)).filter(isOpen)
  }

  /** Searches all tables for an encoded name, which is a digest. This is rare: clients send full names nearly always. */
  async #search(specifier: RegionSpecifier, call: Call): Promise<NamedRegion> {
    const encodedName = specifier.name.toString('latin1')
    const { catalog } = this.#store
    for (const { name: table } of await allTables(catalog, onOwnBehalf(call))) {
      const found = await ifAny(() => replicaNamed(catalog, table, encodedName, call))
      if (found === undefined) continue
      const { replica, first } = found
      if (replica === 0) return rememberRef(specifier, { table, encodedName })
      const copy = { replica, copyOf: abbreviated(first.name) }
      return rememberRef(specifier, { table, encodedName: first.encodedName, copy })
    }
    throw regionNotOnline(encodedName)
  }
}

/** The regions of a port that serves none, such as that of HBase's master. */
export class NoRegions extends ServedRegions {
  override ref(specifier: RegionSpecifier): never {
    throw regionNotOnline(refOfName(specifier)?.name ?? specifier.name.toString('latin1'))
  }

  override online(): Promise<Replica[]> {
    return Promise.resolve([])
  }
}

/** The result of `find`; undefined where the table has been deleted meanwhile. */
async function ifAny<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return undefined
    throw error
  }
}
