/**
 * Shows hbase:meta and hbase:namespace over a store that keeps its catalog in another form. Clients list and read them like
 * HBase's, and change them only by changing tables and namespaces.
 */

import { HBaseError } from '../../../model/errors.ts'
import type { ServerName } from '../../../model/server-name.ts'
import { isShown } from '../../../model/shown-tables.ts'
import type { RowScan } from '../../../query/row-scan.ts'
import { type Call, checkIsAwaited } from '../../../store/call.ts'
import { withFacets } from '../../../store/decorate.ts'
import type { HandoutId, Handouts, ScanLimits } from '../../../store/handouts.ts'
import { unknownScanner } from '../../../store/refusals.ts'
import type { Rows } from '../../../store/rows.ts'
import { type Target, targetTable } from '../../../store/target.ts'
import { OwnTurns } from '../../requests/own-turns.ts'
import type { AdvertisedStore } from '../advertised.ts'
import { withSystemCatalog } from './system-catalog.ts'
import { withSystemUpkeep } from './system-upkeep.ts'
import { SystemViews } from './system-views.ts'

/** Returns the store itself where it has such tables. `server`: the server of the two tables. */
export function withSystemTables(store: AdvertisedStore, server: ServerName): AdvertisedStore {
  if (store.catalog.hasSystemTables) return store
  const views = new SystemViews(store.catalog, server)
  const scans = new OpenViews(store.handouts)
  return withFacets(store, {
    catalog: withSystemCatalog(store.catalog, server),
    rows: readingRows(store.rows, views, scans),
    handouts: scans,
    upkeep: withSystemUpkeep(store.upkeep, server),
  })
}

/** Requests of other tables, nearly all, cost one comparison of a name more. */
function readingRows(rows: Rows, views: SystemViews, scans: OpenViews): Rows {
  return {
    get: (target, gets, limits, call) =>
      isShown(targetTable(target))
        ? views.get(target, gets, limits, call)
        : rows.get(target, gets, limits, call),
    openScanner: async (target, scan, call) =>
      isShown(targetTable(target))
        ? { id: scans.add(await views.openScan(target, scan, call)), readPoint: 0n }
        : rows.openScanner(target, scan, call),
    mutate: (target, batch, call) =>
      isShown(targetTable(target)) ? refuseWrite(target) : rows.mutate(target, batch, call),
    mutateRow: (target, mutation, call) =>
      isShown(targetTable(target)) ? refuseWrite(target) : rows.mutateRow(target, mutation, call),
    mutateRows: (target, mutation, call) =>
      isShown(targetTable(target)) ? refuseWrite(target) : rows.mutateRows(target, mutation, call),
  }
}

async function refuseWrite(target: Target): Promise<never> {
  const table = targetTable(target)
  throw new HBaseError(
    'UNSUPPORTED',
    `${table} shows the catalog and cannot be written: create, alter or delete the tables and namespaces themselves`,
  )
}

/** Open scans of the views. They have negative ids, the store's scanners positive ones. */
class OpenViews implements Handouts {
  readonly #handouts: Handouts
  readonly #scans = new Map<HandoutId, RowScan>()
  #lastId = 0

  constructor(handouts: Handouts) {
    this.#handouts = handouts
  }

  add(scan: RowScan): HandoutId {
    const id = --this.#lastId
    this.#scans.set(id, scan)
    return id
  }

  next(id: HandoutId, limits: ScanLimits, call: Call): ReturnType<Handouts['next']> {
    return id > 0 ? this.#handouts.next(id, limits, call) : this.#next(id, limits, call)
  }

  async #next(id: HandoutId, limits: ScanLimits, call: Call): ReturnType<Handouts['next']> {
    const scan = this.#scans.get(id)
    if (scan === undefined) throw unknownScanner(id)
    checkIsAwaited(call, Date.now())
    const turns = new OwnTurns()
    return scan.next(limits, () => {
      const pause = turns.pause()
      if (pause === undefined) return true
      return pause.then(() => {
        checkIsAwaited(call, Date.now())
        return true
      })
    })
  }

  async closeScanner(id: HandoutId): Promise<void> {
    if (id > 0) await this.#handouts.closeScanner(id)
    else this.#scans.delete(id)
  }

  release(loan: number): void {
    this.#handouts.release(loan)
  }
}
