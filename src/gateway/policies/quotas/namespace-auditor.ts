/**
 * Enforces the limits of tables and regions in the properties of namespaces. HBase: NamespaceAuditor, NamespaceStateManager. Changes in
 * namespaces without limits pass unchecked.
 */

import type { NamespaceDescriptor } from '../../../model/descriptor.ts'
import {
  hasLimits,
  type NamespaceLimits,
  namespaceLimits,
  quotaExceeded,
} from '../../../model/namespace-limits.ts'
import { SerialQueue } from '../../../model/serial-queue.ts'
import { tableExists } from '../../../model/table-checks.ts'
import { isSystemTable, namespaceOf, type TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { RegionLocation } from '../../../store/catalog.ts'
import type { AdvertisedCatalog } from '../../catalog/advertised.ts'
import { allTables } from '../../catalog/listed-tables.ts'

interface Present extends NamespaceLimits {
  readonly tables: number
  readonly regions: number
}

export class NamespaceAuditor {
  readonly #catalog: AdvertisedCatalog
  /** Changes in namespaces with limits run one at a time: two at once might both find room. */
  readonly #changes = new SerialQueue()

  constructor(catalog: AdvertisedCatalog) {
    this.#catalog = catalog
  }

  /** Makes a new table with that number of regions. Throws DO_NOT_RETRY, HBase's QuotaExceededException. */
  create(table: TableName, regions: number, call: Call, create: () => Promise<void>): Promise<void> {
    return this.#withLimits(table, call, create, async (namespace) => {
      const refusal = refusedTable(table, regions, await this.#present(namespace, call))
      if (refusal === undefined) return
      if (await this.#catalog.tableExists(table, call)) throw tableExists(table)
      throw quotaExceeded(refusal)
    })
  }

  /** Changes an existing table to that number of regions. */
  replace(table: TableName, regions: number, call: Call, replace: () => Promise<void>): Promise<void> {
    return this.#withLimits(table, call, replace, async (namespace) => {
      const present = await this.#present(namespace, call)
      const before = (await this.#catalog.regions(table, call)).length
      if (regions === before || BigInt(present.regions - before + regions) <= present.regionsMax) return
      throw quotaExceeded(
        `The table ${table} region count cannot be updated as it would exceed maximum number ` +
          'of regions allowed in the namespace.  The total number of regions permitted is ' +
          present.regionsMax,
      )
    })
  }

  split(region: RegionLocation, call: Call, split: () => Promise<void>): Promise<void> {
    return this.#withLimits(region.table, call, split, async (namespace) => {
      const { regions, regionsMax } = await this.#present(namespace, call)
      if (BigInt(regions) < regionsMax) return
      throw quotaExceeded(
        `Region split not possible for :${region.encodedName} as quota limits are exceeded `,
      )
    })
  }

  async hasLimits(call: Call): Promise<boolean> {
    return (await this.#catalog.listNamespaces(call)).some(hasLimits)
  }

  async #withLimits(
    table: TableName,
    call: Call,
    change: () => Promise<void>,
    check: (namespace: NamespaceDescriptor) => Promise<void>,
  ): Promise<void> {
    if (isSystemTable(table)) return change()
    const namespace = (await this.#catalog.listNamespaces(call)).find(
      ({ name }) => name === namespaceOf(table),
    )
    if (namespace === undefined || !hasLimits(namespace)) return change()
    return this.#changes.run(async () => {
      await check(namespace)
      return change()
    })
  }

  async #present(namespace: NamespaceDescriptor, call: Call): Promise<Present> {
    const names = (await allTables(this.#catalog, call)).map(({ name }) => name)
    const within = names.filter((name) => namespaceOf(name) === namespace.name)
    let regions = 0
    for (const name of within) regions += (await this.#catalog.regions(name, call)).length
    return { ...namespaceLimits(namespace), tables: within.length, regions }
  }
}

function refusedTable(table: TableName, regions: number, present: Present): string | undefined {
  if (BigInt(present.tables) >= present.tablesMax) {
    return (
      `The table ${table} cannot be created as it would exceed maximum number of tables allowed ` +
      ` in the namespace.  The total number of tables permitted is ${present.tablesMax}`
    )
  }
  if (BigInt(present.regions + regions) <= present.regionsMax) return undefined
  return (
    `The table ${table} is not allowed to have ${regions} regions. The total number of regions permitted is only ` +
    `${present.regionsMax}, while current region count is ${present.regions}. This may be transient, please retry ` +
    'later if there are any ongoing split operations in the namespace.'
  )
}
