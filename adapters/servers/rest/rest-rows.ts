/** Rows of tables over REST. */

import { CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import { ERROR_TRAITS, HBaseError } from '../../../src/model/errors.ts'
import type { MutationBatch, RowMutation } from '../../../src/model/mutation.ts'
import { type Get, type Query, type Scan, scan } from '../../../src/model/query.ts'
import type { Results } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { OpenScanner } from '../../../src/store/handouts.ts'
import type { GetLimits, MutationFailure, RowMutationOutcome, Rows } from '../../../src/store/rows.ts'
import type { Target } from '../../../src/store/target.ts'
import { type AnsweredCells, decodeAnsweredCells } from '../../../src/wire/rest/cells-of-set.ts'
import { beyondProtocol, tableOfTarget } from '../reach/beyond-protocol.ts'
import type { ServerHandouts } from '../scans/server-handouts.ts'
import { ServerScan } from '../scans/server-scan.ts'
import { plainPath } from './key-paths.ts'
import type { RestCatalog } from './rest-catalog.ts'
import { changeRow } from './rest-row-change.ts'
import { columnNames, RestScanSource, tableNotFound } from './rest-scan-source.ts'
import { REST_REACH, type RestServer } from './rest-server.ts'
import { RestWrites } from './rest-writes.ts'

const NOT_FOUND = 404
/** The most gets at a time. Each is a request. */
const GETS_AT_ONCE = 8
const WHOLE_ROW = { rows: 1, bytes: Number.MAX_SAFE_INTEGER, allowPartial: false }
const NOTHING: AnsweredCells = { cells: new CellBlockBuilder(0).block(), counts: [] }

export class RestRows implements Rows {
  readonly #server: RestServer
  readonly #catalog: RestCatalog
  readonly #handouts: ServerHandouts
  readonly #writes: RestWrites

  constructor(server: RestServer, catalog: RestCatalog, handouts: ServerHandouts) {
    this.#server = server
    this.#catalog = catalog
    this.#handouts = handouts
    this.#writes = new RestWrites(server, catalog)
  }

  async get(target: Target, gets: readonly Get[], limits: GetLimits, call: Call): Promise<Results> {
    const table = tableOfTarget(target, REST_REACH)
    const cells = new CellBlockBuilder()
    const counts: number[] = []
    for (let at = 0; at < gets.length; at += GETS_AT_ONCE) {
      if (counts.length > 0 && cells.length >= limits.bytes) break
      const asked = gets.slice(at, at + GETS_AT_ONCE).map((get) => this.#get(table, get, call))
      for (const { cells: found } of await Promise.all(asked)) {
        if (counts.length > 0 && cells.length >= limits.bytes) break
        const before = cells.count
        const cursor = new CellCursor(found)
        while (cursor.next()) cells.appendCell(cursor.buffer, cursor.cell, cursor.cellLength)
        counts.push(cells.count - before)
      }
    }
    return { cells: cells.block(), counts }
  }

  async openScanner(target: Target, query: Scan, call: Call): Promise<OpenScanner> {
    const table = tableOfTarget(target, REST_REACH)
    await this.#checkFamilies(table, query, call)
    return this.#handouts.open(query, (from) => this.#source(table, from), call)
  }

  mutate(target: Target, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]> {
    return this.#writes.mutate(tableOfTarget(target, REST_REACH), batch, call)
  }

  async mutateRow(target: Target, mutation: RowMutation, call: Call): Promise<RowMutationOutcome> {
    const table = tableOfTarget(target, REST_REACH)
    const read = (get: Get): Promise<Results> => this.get(table, [get], WHOLE_ROW, call)
    return changeRow(this.#server, this.#writes, table, mutation, read, call)
  }

  async mutateRows(): Promise<boolean> {
    throw beyondProtocol(REST_REACH, 'a change of several rows at once')
  }

  #source(table: TableName, query: Scan): RestScanSource {
    return new RestScanSource(this.#server, table, query, (call) => this.#catalog.tableExists(table, call))
  }

  /** Reads the row at its own path where the path can express the get; else by a scanner, whose rows and columns may be any bytes. */
  async #get(table: TableName, get: Get, call: Call): Promise<AnsweredCells> {
    const path = isPlain(get) ? plainPath(table, get.row, columnNames(get.columns)) : undefined
    if (path === undefined) return this.#scanned(table, get, call)
    const parameters = `?v=${get.maxVersions}${get.cacheBlocks ? '' : '&nocache=true'}`
    const answer = await this.#server.ask(
      { operation: `get of ${table}`, method: 'GET', path: `${path}${parameters}`, answers: [NOT_FOUND] },
      call,
    )
    if (answer.status !== NOT_FOUND) return decodeAnsweredCells(answer.body)
    // A 404 may stand for an absent row, family or table.
    if (get.columns.length > 0) await this.#checkFamilies(table, get, call)
    else if (!(await this.#catalog.tableExists(table, call))) throw tableNotFound(table)
    return NOTHING
  }

  async #scanned(table: TableName, get: Get, call: Call): Promise<AnsweredCells> {
    await this.#checkFamilies(table, get, call)
    const { row: startRow, ...query } = get
    const read = scan({ ...query, startRow, stopRow: startRow, includeStopRow: true, raw: get.raw ?? false })
    const scanned = new ServerScan(read, (from) => this.#source(table, from))
    try {
      const { results } = await scanned.next(WHOLE_ROW, call)
      return results as AnsweredCells
    } finally {
      await scanned.close()
    }
  }

  /**
   * Throws NO_SUCH_COLUMN_FAMILY: a scanner of REST returns an absent family as an empty one. It does not throw for users who may read the
   * table but not see its schema.
   */
  async #checkFamilies(table: TableName, { columns }: Query, call: Call): Promise<void> {
    if (columns.length === 0) return
    const descriptor = await this.#catalog.visibleTable(table, call)
    if (descriptor === undefined) return
    const missing = columns.find(({ family }) => !descriptor.families.some(({ name }) => name.equals(family)))
    if (missing === undefined) return
    throw new HBaseError(
      'NO_SUCH_COLUMN_FAMILY',
      `Column family ${missing.family.toString()} does not exist in table ${table}`,
      { detail: { javaClass: ERROR_TRAITS.NO_SUCH_COLUMN_FAMILY.javaClass } },
    )
  }
}

function isPlain(get: Get): boolean {
  return (
    get.filter === undefined &&
    get.timeRange.isAllTime &&
    get.familyTimeRanges === undefined &&
    get.familyLimit < 0 &&
    get.familyOffset === 0 &&
    get.raw !== true &&
    get.asOf === undefined &&
    (get.replica ?? 0) === 0 &&
    (get.attributes?.size ?? 0) === 0
  )
}
