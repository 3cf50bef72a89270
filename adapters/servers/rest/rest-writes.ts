/**
 * Puts and deletes over REST. Puts of many rows go in one body. Each delete is a request of its own, and so is each timestamp of
 * several deletes of one row, since REST cannot combine them.
 */

import { CellType } from '../../../src/model/cell.ts'
import { type CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { type ErrorCode, isHBaseError } from '../../../src/model/errors.ts'
import type { MutationBatch, MutationOptions } from '../../../src/model/mutation.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { MutationFailure } from '../../../src/store/rows.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import { checkTimestamps } from '../reach/sent-cells.ts'
import { REQUEST_ERRORS } from '../requests/request-errors.ts'
import { cellSet } from './cell-set-body.ts'
import { tablePath } from './key-paths.ts'
import type { RestCatalog } from './rest-catalog.ts'
import { deleteCells, type Sending } from './rest-deletes.ts'
import { tableNotFound } from './rest-scan-source.ts'
import { REST_REACH, type RestServer } from './rest-server.ts'

/** The most bytes of cells in one body. */
const BODY_BYTES = 4 * 1024 * 1024
/** Codes of errors that concern all mutations. An IO error is a failure of the whole REST server. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set([...REQUEST_ERRORS, 'IO'])
/** The row in the path of a request whose body has the rows. */
const ANY_ROW = 'rows'
const NOT_FOUND = 404

export class RestWrites implements Sending {
  readonly server: RestServer
  readonly catalog: RestCatalog

  constructor(server: RestServer, catalog: RestCatalog) {
    this.server = server
    this.catalog = catalog
  }

  /** As Rows.mutate. */
  async mutate(table: TableName, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]> {
    const failures: MutationFailure[] = []
    for (let first = 0; first < batch.length; ) {
      const end = endOfPuts(batch, first)
      if (end > first) failures.push(...(await this.#putRun(table, batch, first, end, call)))
      else await this.#noted(failures, first, () => this.#mixed(table, batch, first, call))
      first = Math.max(end, first + 1)
    }
    return failures
  }

  /** Puts all cells of the blocks, each of one row. */
  async put(table: TableName, blocks: readonly CellBlock[], call: Call): Promise<void> {
    for (const block of blocks) checkTimestamps(block)
    await this.send(table, '', cellSet(blocks), call)
  }

  /** Sends a cell set, with `?check=...` or without. True where the change was made. */
  async send(table: TableName, query: string, body: Buffer, call: Call): Promise<boolean> {
    const isRepeatable = query === ''
    const path = `${tablePath(table)}/${ANY_ROW}${query}`
    const asked = { operation: `change of ${table}`, method: 'PUT', path, body, isRepeatable } as const
    const { status } = await this.server.ask({ ...asked, answers: [304] }, call).catch(async (error) => {
      throw await this.withReason(table, error, call)
    })
    return status !== 304
  }

  /** The error, or TABLE_NOT_FOUND for a 404 without a reason where the table is absent. */
  async withReason(table: TableName, error: unknown, call: Call): Promise<unknown> {
    const isVague =
      isHBaseError(error) && error.detail?.['status'] === NOT_FOUND && error.detail['javaClass'] === undefined
    return isVague && !(await this.catalog.tableExists(table, call)) ? tableNotFound(table) : error
  }

  /** Sends the puts of several mutations together. Where the server refuses one of them, each goes alone, so that the others succeed. */
  async #putRun(
    table: TableName,
    batch: MutationBatch,
    first: number,
    end: number,
    call: Call,
  ): Promise<MutationFailure[]> {
    const failures: MutationFailure[] = []
    const blocks = Array.from({ length: end - first }, (_, i) => batch.blockOf(first + i))
    if (blocks.every(({ byteLength }) => byteLength === 0)) return failures
    try {
      await this.put(table, blocks, call)
    } catch (error) {
      if (!isHBaseError(error) || OF_ALL.has(error.code)) throw error
      if (blocks.length === 1) return [{ index: first, error }]
      for (const [i, block] of blocks.entries())
        await this.#noted(failures, first + i, () => this.put(table, [block], call))
    }
    return failures
  }

  /** Sends a mutation with deletes: its puts first, then its deletes. */
  async #mixed(table: TableName, batch: MutationBatch, index: number, call: Call): Promise<void> {
    checkOptions(batch.options[index]!)
    checkTimestamps(batch.blockOf(index))
    const { puts, deletes } = partsOf(batch.blockOf(index))
    if (puts.byteLength > 0) await this.put(table, [puts], call)
    await deleteCells(this, table, deletes, call)
  }

  /** Runs `work` for one mutation. Adds its failure to `failures`, unless the failure concerns all mutations. */
  async #noted(failures: MutationFailure[], index: number, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isHBaseError(error) || OF_ALL.has(error.code)) throw error
      failures.push({ index, error })
    }
  }
}

/** The index after the run of mutations from `first` on that have only puts and fit in one body. */
function endOfPuts(batch: MutationBatch, first: number): number {
  let end = first
  const start = first === 0 ? 0 : batch.ends[first - 1]!
  while (end < batch.length && isOfPuts(batch, end)) {
    end++
    if (batch.ends[end - 1]! - start >= BODY_BYTES) break
  }
  return end
}

function isOfPuts(batch: MutationBatch, index: number): boolean {
  if (!isPlain(batch.options[index]!)) return false
  const cursor = new CellCursor(batch.blockOf(index))
  while (cursor.next()) if (cursor.type !== CellType.Put) return false
  return true
}

/**
 * True for options that REST need not express. A server syncs its log as the table's durability says, which satisfies every client's durability
 * but FSYNC_WAL.
 */
function isPlain({ durability, ttlMs, tags, attributes }: MutationOptions): boolean {
  const isDurable = durability !== 'FSYNC_WAL'
  return isDurable && ttlMs === undefined && tags === undefined && (attributes?.size ?? 0) === 0
}

/** Throws UNSUPPORTED. */
export function checkOptions(options: MutationOptions): void {
  if (isPlain(options)) return
  const { durability, ttlMs } = options
  const what =
    durability === 'FSYNC_WAL'
      ? 'the durability FSYNC_WAL'
      : ttlMs !== undefined
        ? 'a TTL of cells'
        : 'an attribute of a change'
  throw beyondProtocol(REST_REACH, what)
}

function partsOf(block: CellBlock): { readonly puts: CellBlock; readonly deletes: CellBlock } {
  const cursor = new CellCursor(block)
  let [isPutFirst, putsEnd, at] = [true, block.start, block.start]
  while (cursor.next()) {
    const isPut = cursor.type === CellType.Put
    if (isPut && putsEnd === at) putsEnd = cursor.position
    else if (isPut) isPutFirst = false
    at = cursor.position
  }
  if (!isPutFirst) throw beyondProtocol(REST_REACH, 'a change that deletes before it puts')
  const { buffer, start, end } = block
  const part = (from: number, to: number): CellBlock => ({
    buffer,
    start: from,
    end: to,
    byteLength: to - from,
  })
  return { puts: part(start, putsEnd), deletes: part(putsEnd, end) }
}
