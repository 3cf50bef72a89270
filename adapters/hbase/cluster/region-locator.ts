/**
 * Finds the server of a region in hbase:meta, remembers it, and forgets it when a server says otherwise. Lookups for one gap
 * between known regions go one at a time, so that a thousand simultaneous misses make one call.
 */

import { toStringBinary } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { META_TABLE } from '../../../src/model/meta-table.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { RegionRef } from '../../../src/store/target.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import type { CallCounts } from '../connections/call-counts.ts'
import { failureOf } from '../retry/failure.ts'
import { JAVA_CLASS } from '../retry/java-exceptions.ts'
import type { Attempt } from '../retry/retrier.ts'
import { sharedAttempt } from '../retry/shared-attempt.ts'
import type { Time } from '../retry/time.ts'
import { within } from '../retry/within.ts'
import { afterRow, afterTable, beforeRow } from './meta-key.ts'
import { type LocatedRegion, NO_SERVER } from './meta-row.ts'
import type { MetaTable, TableStateName } from './meta-table.ts'
import { endsAfter, RegionCache, reaches, sameServer } from './region-cache.ts'

/** The number of regions that a lookup reads: the wanted one and its predecessors. HBase: hbase.client.locate.prefetch.limit. */
const PREFETCH = 10

/** No server has opened the region. Its copies may be open. */
export class RegionWithoutServer extends HBaseError {
  readonly region: LocatedRegion

  constructor(message: string, region: LocatedRegion) {
    super('NOT_SERVING_REGION', message)
    this.region = region
  }
}

/** The rows that a lookup is for. */
interface Sought {
  readonly row: Buffer
  /** True: the region of the last rows before `row` is wanted, not that of `row`. */
  readonly before: boolean
  /** The number of regions after that of `row` to read as well. If it is above 0, a region begins at `row`. */
  readonly ahead: number
}

export class RegionLocator {
  /** The number of lookups in hbase:meta so far. */
  lookups = 0
  readonly #meta: MetaTable
  readonly #time: Time
  readonly #calls: CallCounts | undefined
  readonly #tables = new Map<TableName, RegionCache>()
  readonly #lookups = new Map<string, Promise<void>>()

  constructor(meta: MetaTable, time: Time, calls?: CallCounts) {
    this.#meta = meta
    this.#time = time
    this.#calls = calls
  }

  /** The region of `row` if it is known: most calls find it here, without a promise. */
  cached(table: TableName, row: Buffer): LocatedRegion | undefined {
    return this.#tables.get(table)?.find(row)
  }

  /** The region of that name if it is known. */
  cachedByName({ table, encodedName }: RegionRef): LocatedRegion | undefined {
    return this.#tables.get(table)?.findByName(encodedName)
  }

  /**
   * The region of `row`. Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED or NOT_SERVING_REGION where hbase:meta has no region or no
   * server for it now, TIMEOUT, and the failure of the call of hbase:meta, after which Retrier may try again.
   */
  async locate(table: TableName, row: Buffer, attempt: Attempt): Promise<LocatedRegion> {
    return this.cached(table, row) ?? this.#locate(table, { row, before: false, ahead: 0 }, attempt)
  }

  /** As locate, for a scan that comes from the region before: a lookup also reads `ahead` of the regions that follow. */
  async locateNext(table: TableName, row: Buffer, ahead: number, attempt: Attempt): Promise<LocatedRegion> {
    return this.cached(table, row) ?? this.#locate(table, { row, before: false, ahead }, attempt)
  }

  /** The region of the last rows before `row`, or of the table's last rows where `row` is empty. Throws as locate. */
  async locateBefore(table: TableName, row: Buffer, attempt: Attempt): Promise<LocatedRegion> {
    const known = this.#tables.get(table)?.findBefore(row)
    return known ?? this.#locate(table, { row, before: true, ahead: 0 }, attempt)
  }

  /** All regions of a table, read from hbase:meta, in order of their start keys. Throws TABLE_NOT_FOUND, ... */
  async regions(table: TableName, attempt: Attempt): Promise<LocatedRegion[]> {
    if (table === META_TABLE) {
      // No row lists the copies of hbase:meta: only the registry knows them.
      this.#meta.forgetRegion()
      return [await this.#meta.region(attempt.deadline)]
    }
    const regions = await this.#meta.regionsOf(table, attempt)
    if (regions.length === 0) throw new HBaseError('TABLE_NOT_FOUND', table)
    const known = this.#cacheOf(table)
    for (const region of regions) if (region.server !== NO_SERVER) known.put(region)
    return regions
  }

  /** The region of that full name, read from hbase:meta; undefined where there is none. Throws the failure of that call. */
  async named(table: TableName, name: Buffer, attempt: Attempt): Promise<LocatedRegion | undefined> {
    const [region] =
      table === META_TABLE
        ? [await this.#meta.region(attempt.deadline)]
        : await this.#meta.regionsBack(table, name, 1, attempt)
    if (region === undefined || !region.name.equals(name)) return undefined
    if (table !== META_TABLE && region.server !== NO_SERVER) this.#cacheOf(table).put(region)
    return region
  }

  /** Updates the locations from a failed call: moves or forgets the region, or all regions of a dead server. */
  failed(region: LocatedRegion, error: unknown): void {
    const { kind } = failureOf(error)
    if (this.#calls !== undefined) this.#calls.failures[kind]++
    if (kind === 'final' || kind === 'busy' || kind === 'overloaded') return
    if (region.table === META_TABLE) {
      this.#meta.forgetRegion()
      return
    }
    const moved = kind === 'not-serving' ? movedTo(region, error) : undefined
    if (moved !== undefined) this.#tables.get(region.table)?.move(region, moved)
    else if (kind === 'server-gone') this.forgetServer(region.server)
    else this.#tables.get(region.table)?.remove(region)
  }

  /** Throws TABLE_NOT_ENABLED or TABLE_NOT_FOUND where that is why no server serves a region. Throws nothing where hbase:meta does not answer. */
  async checkEnabled(table: TableName, attempt: Attempt): Promise<void> {
    if (table === META_TABLE) return
    let state: TableStateName | undefined
    try {
      state = await this.#meta.tableState(table, attempt)
    } catch {
      // The caller's own failure says more.
      return
    }
    if (state === undefined) throw new HBaseError('TABLE_NOT_FOUND', table)
    if (state === 'DISABLED') throw new HBaseError('TABLE_NOT_ENABLED', `${table} is disabled.`)
  }

  /** Forgets all regions on the server. */
  forgetServer(server: ServerName): void {
    for (const known of this.#tables.values()) known.removeServer(server)
  }

  /** Forgets a table that has changed: its regions may have other borders or servers. */
  forgetTable(table: TableName): void {
    this.#tables.delete(table)
  }

  async #locate(table: TableName, sought: Sought, attempt: Attempt): Promise<LocatedRegion> {
    const { row, before } = sought
    if (table === META_TABLE) return this.#meta.region(attempt.deadline)
    for (;;) {
      const known = this.#cacheOf(table)
      const region = before ? known.findBefore(row) : known.find(row)
      if (region !== undefined) return region
      const gap = `${table}/${known.gapOf(row, before)}`
      const running = this.#lookups.get(gap)
      if (running === undefined) return this.#lookUpAlone(gap, table, sought, attempt)
      await within(this.#time, attempt.deadline, `finding a region of ${table}`, running)
    }
  }

  #lookUpAlone(gap: string, table: TableName, sought: Sought, attempt: Attempt): Promise<LocatedRegion> {
    const shared = sharedAttempt(attempt, this.#time)
    // The lookup may outlive its caller, whose request owns the row's memory.
    const kept = shared === attempt ? sought : { ...sought, row: Buffer.from(sought.row) }
    const lookup = this.#lookUp(table, kept, shared)
    const settled = lookup.then(() => undefined)
    // Every waiting caller gets the failure. Without one it would be an unhandled rejection.
    settled.catch(() => undefined)
    this.#lookups.set(gap, settled)
    const ended = lookup.finally(() => this.#lookups.delete(gap))
    if (shared === attempt) return ended
    return within(this.#time, attempt.deadline, `finding a region of ${table}`, ended)
  }

  async #lookUp(table: TableName, { row, before, ahead }: Sought, attempt: Attempt): Promise<LocatedRegion> {
    const known = this.#cacheOf(table)
    if (ahead > 0) {
      await this.#lookAhead(table, row, ahead, known, attempt)
      const next = known.find(row)
      if (next !== undefined) return next
    }
    const key = !before ? afterRow(table, row) : row.length === 0 ? afterTable(table) : beforeRow(table, row)
    this.lookups++
    const regions = await this.#meta.regionsBack(table, key, PREFETCH, attempt)
    const [wanted] = regions
    if (wanted === undefined) throw new HBaseError('TABLE_NOT_FOUND', table)
    for (const region of regions) if (region.server !== NO_SERVER) known.put(region)
    const isThere = before ? reaches(wanted, row) : endsAfter(wanted, row)
    if (isThere && wanted.server !== NO_SERVER) return known.put(wanted)
    await this.checkEnabled(table, attempt)
    const what = isThere ? `server for ${toStringBinary(wanted.name)}` : `region of ${table}`
    const message = `hbase:meta has no ${what} with row ${toStringBinary(row)}`
    throw isThere ? new RegionWithoutServer(message, wanted) : new HBaseError('NOT_SERVING_REGION', message)
  }

  /** Reads the region that begins at `row`, if one does, and the `ahead` regions after it. */
  async #lookAhead(
    table: TableName,
    row: Buffer,
    ahead: number,
    known: RegionCache,
    attempt: Attempt,
  ): Promise<void> {
    this.lookups++
    const regions = await this.#meta.regionsFrom(table, beforeRow(table, row), ahead + 1, attempt)
    for (const region of regions) if (region.server !== NO_SERVER) known.put(region)
  }

  #cacheOf(table: TableName): RegionCache {
    let known = this.#tables.get(table)
    if (known === undefined) {
      known = new RegionCache()
      this.#tables.set(table, known)
    }
    return known
  }
}

/** The new location from `Region moved to: hostname=H port=P startCode=S. As of locationSeqNum=N.` HBase: RegionMovedException. */
function movedTo(region: LocatedRegion, error: unknown): LocatedRegion | undefined {
  if (!(error instanceof RemoteException) || error.javaClass !== JAVA_CLASS.regionMoved) return undefined
  const match = /hostname=(\S+) port=(\d+) startCode=(\d+)\. As of locationSeqNum=(\d+)/.exec(error.message)
  if (match === null) return undefined
  const [, host, port, startCode, sequenceId] = match
  const server = { host: host!, port: Number(port), startCode: Number(startCode) }
  const openSequenceId = Number(sequenceId)
  // The location is older than the failed one: read hbase:meta instead.
  if (openSequenceId < region.openSequenceId || sameServer(server, region.server)) return undefined
  return { ...region, server, openSequenceId }
}
