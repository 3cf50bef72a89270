/** Stateful scanners of REST: a PUT opens one, each GET reads some cells, a DELETE ends it. */

import { fromBinary } from '@bufbuild/protobuf'
import { printFilterJson } from '../../../src/filter/json/print-filter-json.ts'
import { EMPTY } from '../../../src/model/bytes.ts'
import type { CellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Columns, Query, Scan } from '../../../src/model/query.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import { decodeAnsweredCells } from '../../../src/wire/rest/cells-of-set.ts'
import { encodeScanner } from '../../../src/wire/rest/scanner-message.ts'
import { AuthorizationsSchema } from '../../../src/wire/rpc/gen/client_pb.ts'
import { VISIBILITY_ATTRIBUTE } from '../../../src/wire/rpc/label-messages.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import { FetchSize } from '../scans/fetch-size.ts'
import type { ScanSource } from '../scans/scan-source.ts'
import { tablePath } from './key-paths.ts'
import { REST_REACH, type RestServer } from './rest-server.ts'

const FIRST_CELLS = 64
const CELLS_MAX = 10_000
const NO_CONTENT = 204
const GONE = 410
const NOT_FOUND = 404
/** The most rows that the server reads ahead. */
const CACHING_MAX = 1000

export class RestScanSource implements ScanSource {
  readonly #server: RestServer
  readonly #table: TableName
  readonly #body: Buffer
  readonly #exists: (call: Call) => Promise<boolean>
  readonly #size = new FetchSize(FIRST_CELLS, CELLS_MAX)
  /** The scanner's path; undefined while none is open. */
  #path: string | undefined
  #isEnded = false

  /** `exists`: resolves to true if the table exists. Throws UNSUPPORTED. */
  constructor(server: RestServer, table: TableName, scan: Scan, exists: (call: Call) => Promise<boolean>) {
    this.#server = server
    this.#table = table
    this.#body = scannerOf(scan)
    this.#exists = exists
  }

  async fetch(_: number, call: Call): Promise<CellBlock | undefined> {
    if (this.#isEnded) return undefined
    this.#path ??= await this.#open(call)
    const operation = `scan of ${this.#table}`
    const cells = this.#size.count
    // A lost answer cannot be read again: the scanner has moved on.
    const asked = { operation, method: 'GET', path: `${this.#path}?c=${cells}`, isRepeatable: false } as const
    const answer = await this.#server
      .ask({ ...asked, answers: [NOT_FOUND, GONE] }, call)
      .catch((error: unknown) => this.#failed(error))
    if (answer.status === NOT_FOUND || answer.status === GONE) throw await this.#lost(answer.status, call)
    if (answer.status === NO_CONTENT) {
      this.#isEnded = true
      return undefined
    }
    const { cells: block, counts } = decodeAnsweredCells(answer.body)
    let count = 0
    for (const each of counts) count += each
    this.#size.answered(count, answer.body.length)
    return block
  }

  async close(): Promise<void> {
    const path = this.#path
    this.#path = undefined
    if (path === undefined) return
    const asked = { operation: 'end of a scanner', method: 'DELETE', path, isTriedOnce: true } as const
    await this.#server.ask({ ...asked, answers: [NOT_FOUND] }, OWN_CALL).catch(() => undefined)
  }

  async #open(call: Call): Promise<string> {
    const path = `${tablePath(this.#table)}/scanner`
    const operation = `scan of ${this.#table}`
    const answer = await this.#server.ask(
      { operation, method: 'PUT', path, body: this.#body, answers: [NOT_FOUND] },
      call,
    )
    if (answer.status === NOT_FOUND) throw tableNotFound(this.#table)
    // Behind a proxy the server may not know its own address, so only the id counts.
    const id = /\/([^/?]+)\/?$/.exec(answer.headers.location ?? '')?.[1]
    if (id === undefined) throw new HBaseError('REFUSED', `${operation}: the server sent no scanner`)
    return `${path}/${id}`
  }

  /** A broken connection has lost an answer, so the scan continues with another scanner. */
  #failed(error: unknown): never {
    const isBroken = error instanceof HBaseError && (error.code === 'UNAVAILABLE' || error.code === 'TIMEOUT')
    throw isBroken ? new HBaseError('UNKNOWN_SCANNER', error.message, { cause: error }) : error
  }

  async #lost(status: number, call: Call): Promise<HBaseError> {
    this.#path = undefined
    if (status === GONE) return new HBaseError('TABLE_NOT_ENABLED', this.#table)
    if (!(await this.#exists(call))) return tableNotFound(this.#table)
    return new HBaseError('UNKNOWN_SCANNER', `the server has forgotten the scanner of ${this.#table}`)
  }
}

export function tableNotFound(table: TableName): HBaseError {
  return new HBaseError('TABLE_NOT_FOUND', table)
}

function scannerOf(scan: Scan): Buffer {
  checkExpressible(scan)
  if (scan.raw) throw beyondProtocol(REST_REACH, 'a scan of deleted cells (RAW)')
  if (scan.reversed) throw beyondProtocol(REST_REACH, 'a scan from the last row to the first (REVERSED)')
  return encodeScanner({
    startRow: scan.includeStartRow || scan.startRow.length === 0 ? scan.startRow : rowAfter(scan.startRow),
    endRow: scan.includeStopRow && scan.stopRow.length > 0 ? rowAfter(scan.stopRow) : scan.stopRow,
    columns: columnNames(scan.columns),
    batch: CELLS_MAX,
    startTime: scan.timeRange.min,
    endTime: scan.timeRange.max,
    maxVersions: scan.maxVersions,
    caching: scan.limit > 0 ? Math.min(scan.limit, CACHING_MAX) : CACHING_MAX,
    cacheBlocks: scan.cacheBlocks,
    filter: filterText(scan),
    labels: labelsOf(scan),
  })
}

/** Throws UNSUPPORTED for parts of reads that REST cannot express. */
function checkExpressible(query: Query): void {
  if (query.asOf !== undefined) throw beyondProtocol(REST_REACH, 'a read of the past')
  if (query.familyLimit >= 0 || query.familyOffset > 0)
    throw beyondProtocol(REST_REACH, 'a limit of the cells of a family')
  if (query.familyTimeRanges !== undefined) throw beyondProtocol(REST_REACH, 'a time range of one family')
  if (query.replica !== undefined && query.replica !== 0)
    throw beyondProtocol(REST_REACH, 'a read of a copy of a region')
}

function filterText({ filter }: Query): string {
  if (filter === undefined) return ''
  const text = printFilterJson(filter)
  if (text === undefined) throw beyondProtocol(REST_REACH, `a ${filter.kind}, or one of the filters in it,`)
  return text
}

/** Columns as REST names them: `family`, or `family:qualifier`. */
export function columnNames(columns: Columns): Buffer[] {
  return columns.flatMap(({ family, qualifiers }) =>
    qualifiers === undefined
      ? [family]
      : qualifiers.map((qualifier) => Buffer.concat([family, Buffer.from(':'), qualifier])),
  )
}

/** The first row after this one. */
function rowAfter(row: Buffer): Buffer {
  return row.length === 0 ? EMPTY : Buffer.concat([row, Buffer.of(0)])
}

/** The visibility labels that a read is made with. Throws UNSUPPORTED for other attributes. */
function labelsOf({ attributes }: Query): string[] {
  let labels: string[] = []
  for (const [name, value] of attributes ?? []) {
    if (name !== VISIBILITY_ATTRIBUTE) throw beyondProtocol(REST_REACH, `the attribute ${name} of a read`)
    labels = fromBinary(AuthorizationsSchema, value).label
  }
  return labels
}
