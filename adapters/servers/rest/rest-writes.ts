/**
 * Puts and deletes over REST. Puts of many rows go in one body. A delete is a request of its own, and so is each timestamp of
 * several deletes of one row: REST has no other words for them.
 */

import { CellType } from '../../../src/model/cell.ts'
import { type CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { type ErrorCode, isHBaseError } from '../../../src/model/errors.ts'
import type { MutationBatch, MutationOptions } from '../../../src/model/mutation.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { MutationFailure } from '../../../src/store/rows.ts'
import { notAsked } from '../not-asked.ts'
import { REQUEST_ERRORS } from '../request-errors.ts'
import { checkTimestamps } from '../sent-cells.ts'
import { cellSet } from './cell-set-body.ts'
import { tablePath } from './key-paths.ts'
import type { RestCatalog } from './rest-catalog.ts'
import { deleteCells, type Sending } from './rest-deletes.ts'
import { tableNotFound } from './rest-scan-source.ts'
import { REST_REACH, type RestServer } from './rest-server.ts'

/** Bytes of cells that go together. */
const BODY_BYTES = 4 * 1024 * 1024
/** An IO error is one of HBase's REST server as a whole. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set([...REQUEST_ERRORS, 'IO'])
/** A body has the rows; the path needs one too. */
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

  /** A cell set for `?check=...`, or without. `true`: it was done. */
  async send(table: TableName, query: string, body: Buffer, call: Call): Promise<boolean> {
    const isRepeatable = query === ''
    const path = `${tablePath(table)}/${ANY_ROW}${query}`
    const asked = { operation: `change of ${table}`, method: 'PUT', path, body, isRepeatable } as const
    const { status } = await this.server.ask({ ...asked, answers: [304] }, call).catch(async (error) => {
      throw await this.told(table, error, call)
    })
    return status !== 304
  }

  /** A 404 without a reason stands for the table. */
  async told(table: TableName, error: unknown, call: Call): Promise<unknown> {
    const isVague =
      isHBaseError(error) && error.detail?.['status'] === NOT_FOUND && error.detail['javaClass'] === undefined
    return isVague && !(await this.catalog.tableExists(table, call)) ? tableNotFound(table) : error
  }

  /** Puts of several mutations. Where one of them is refused, each goes alone, so that the others are done. */
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

  /** A mutation that is not of puts alone: what it puts first, then what it deletes. */
  async #mixed(table: TableName, batch: MutationBatch, index: number, call: Call): Promise<void> {
    checkOptions(batch.options[index]!)
    checkTimestamps(batch.blockOf(index))
    const { puts, deletes } = partsOf(batch.blockOf(index))
    if (puts.byteLength > 0) await this.put(table, [puts], call)
    await deleteCells(this, table, deletes, call)
  }

  async #noted(failures: MutationFailure[], index: number, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isHBaseError(error) || OF_ALL.has(error.code)) throw error
      failures.push({ index, error })
    }
  }
}

/** The mutation behind the last of those from `first` on that are puts alone and go together. */
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

/** A server logs what it is told as its tables say, which is no less than a client may ask for but for FSYNC_WAL. */
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
  throw notAsked(REST_REACH, what)
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
  if (!isPutFirst) throw notAsked(REST_REACH, 'a change that deletes before it puts')
  const { buffer, start, end } = block
  const of = (from: number, to: number): CellBlock => ({
    buffer,
    start: from,
    end: to,
    byteLength: to - from,
  })
  return { puts: of(start, putsEnd), deletes: of(putsEnd, end) }
}
