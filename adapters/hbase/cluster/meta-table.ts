/**
 * Reads regions, in either direction from a key, and table states from hbase:meta. The caller retries. Tidegate's own user reads for all
 * callers: HBase lets every user read hbase:meta.
 */

import { fromBinary } from '@bufbuild/protobuf'
import { CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { TableState_State, TableStateSchema } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { CallCounts } from '../connections/call-counts.ts'
import type { ServerConnections } from '../connections/server-connections.ts'
import { fullNameSpecifier, type Specifier } from '../messages/region-specifier.ts'
import type { ConnectionRegistry } from '../registry/connection-registry.ts'
import { failureOf } from '../retry/failure.ts'
import type { Attempt } from '../retry/retrier.ts'
import type { Time } from '../retry/time.ts'
import { within } from '../retry/within.ts'
import type { CallOptions } from '../rpc/rpc-connection.ts'
import { afterTable, beforeTable } from './meta-key.ts'
import { type LocatedRegion, metaRegion, readMetaRows } from './meta-row.ts'

/** A table's state in hbase:meta, ENABLING and DISABLING included. */
export type TableStateName = keyof typeof TableState_State

/** The priority of lookups, which must not wait behind users' calls. HBase: HConstants.HIGH_QOS. */
const META_PRIORITY = 200
const INFO = Buffer.from('info')
const TABLE = Buffer.from('table')
const STATE = Buffer.from('state')
/** Rows and bytes of one call that lists a table's regions. */
const PAGE_ROWS = 1_000
const PAGE_BYTES = 2n * 1024n * 1024n

const SCAN = rpcMethod(ClientService.method.scan)
const GET = rpcMethod(ClientService.method.get)

interface MetaPage {
  readonly regions: LocatedRegion[]
  /** The key of the last row read; undefined where no more rows follow. */
  readonly lastKey: Buffer | undefined
}

export class MetaTable {
  readonly #registry: ConnectionRegistry
  readonly #connections: ServerConnections
  readonly #time: Time
  readonly #calls: CallCounts | undefined
  #region: Promise<LocatedRegion> | undefined

  constructor(registry: ConnectionRegistry, connections: ServerConnections, time: Time, calls?: CallCounts) {
    this.#registry = registry
    this.#connections = connections
    this.#time = time
    this.#calls = calls
  }

  /** The region of hbase:meta itself. Throws UNAVAILABLE, TIMEOUT. */
  async region(deadline: number): Promise<LocatedRegion> {
    this.#region ??= this.#findRegion()
    return within(this.#time, deadline, 'finding hbase:meta', this.#region)
  }

  /** Makes the next use ask the registry for the region again. */
  forgetRegion(): void {
    this.#region = undefined
  }

  /** The regions at `key` or before it in hbase:meta, in descending order. */
  async regionsBack(
    table: TableName,
    key: Buffer,
    limit: number,
    attempt: Attempt,
  ): Promise<LocatedRegion[]> {
    const page = await this.#scan(
      { startRow: key, includeStartRow: true, stopRow: beforeTable(table), reversed: true },
      limit,
      attempt,
    )
    return page.regions
  }

  /** The regions at `key` or after it in hbase:meta, in ascending order. */
  async regionsFrom(
    table: TableName,
    key: Buffer,
    limit: number,
    attempt: Attempt,
  ): Promise<LocatedRegion[]> {
    const page = await this.#scan(
      { startRow: key, includeStartRow: true, stopRow: afterTable(table), reversed: false },
      limit,
      attempt,
    )
    return page.regions
  }

  /** All regions of a table in order of their start keys; none for an unknown table. */
  async regionsOf(table: TableName, attempt: Attempt): Promise<LocatedRegion[]> {
    const regions: LocatedRegion[] = []
    let startRow: Buffer | undefined = beforeTable(table)
    for (let includeStartRow = true; startRow !== undefined; includeStartRow = false) {
      const page: MetaPage = await this.#scan(
        { startRow, includeStartRow, stopRow: afterTable(table), reversed: false },
        PAGE_ROWS,
        attempt,
      )
      regions.push(...page.regions)
      startRow = page.lastKey
    }
    return regions
  }

  /** The table's state; undefined where there is no such table. */
  async tableState(table: TableName, attempt: Attempt): Promise<TableStateName | undefined> {
    const request = {
      get: { row: Buffer.from(table), column: [{ family: TABLE, qualifier: [STATE] }] },
    }
    const { cells } = await this.#call(attempt, (connection, region, options) =>
      connection.call(GET, { region, ...request }, options),
    )
    const cursor = new CellCursor(cells)
    if (!cursor.next()) return undefined
    const { state } = decodeState(cursor.parts().value)
    return (Object.keys(TableState_State) as TableStateName[]).find(
      (name) => TableState_State[name] === state,
    )
  }

  async #findRegion(): Promise<LocatedRegion> {
    try {
      return metaRegion(await this.#registry.metaLocation())
    } catch (error) {
      this.forgetRegion()
      throw error
    }
  }

  async #scan(
    range: { startRow: Buffer; stopRow: Buffer; reversed: boolean; includeStartRow: boolean },
    limit: number,
    attempt: Attempt,
  ): Promise<MetaPage> {
    const request = {
      scan: { column: [{ family: INFO }], maxResultSize: PAGE_BYTES, ...range },
      numberOfRows: limit,
      limitOfRows: limit,
      closeScanner: true,
    }
    const { message, cells } = await this.#call(attempt, (connection, region, options) =>
      connection.call(SCAN, { region, ...request }, options),
    )
    const isLast = !message.moreResultsInRegion
    return { regions: readMetaRows(cells), lastKey: isLast ? undefined : lastRowKey(cells) }
  }

  async #call<T>(
    attempt: Attempt,
    call: (
      connection: Awaited<ReturnType<ServerConnections['get']>>,
      region: Specifier,
      options: CallOptions,
    ) => Promise<T>,
  ): Promise<T> {
    const { server, name } = await this.region(attempt.deadline)
    try {
      const connection = await this.#connections.get(server, 'ClientService', attempt.deadline, OWN_CALL)
      const leftMs = Math.max(1, Math.ceil(attempt.deadline - this.#time.now()))
      const timeoutMs = Math.min(attempt.timeoutMs, leftMs)
      return await call(connection, fullNameSpecifier(name), { timeoutMs, priority: META_PRIORITY })
    } catch (error) {
      const { kind } = failureOf(error)
      if (this.#calls !== undefined) this.#calls.failures[kind]++
      if (kind !== 'busy' && kind !== 'overloaded' && kind !== 'final') this.forgetRegion()
      throw error
    }
  }
}

function lastRowKey(cells: CellBlock): Buffer | undefined {
  const cursor = new CellCursor(cells)
  let last: Buffer | undefined
  while (cursor.next()) last = cursor.buffer.subarray(cursor.rowOffset, cursor.rowOffset + cursor.rowLength)
  return last === undefined ? undefined : Buffer.from(last)
}

function decodeState(value: Buffer): { state: number } {
  try {
    return fromBinary(TableStateSchema, value)
  } catch (error) {
    throw new HBaseError('CORRUPTION', 'table:state of hbase:meta is not a TableState', { cause: error })
  }
}
