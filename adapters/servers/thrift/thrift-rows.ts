/** Rows of tables over Thrift 2. */

import { readInt32 } from '../../../src/model/bytes.ts'
import { CELL_PREFIX_BYTES, CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { MutationBatch, RowMutation } from '../../../src/model/mutation.ts'
import type { Get, Scan } from '../../../src/model/query.ts'
import type { Results } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { OpenScanner } from '../../../src/store/handouts.ts'
import type { GetLimits, MutationFailure, RowMutationOutcome, Rows } from '../../../src/store/rows.ts'
import type { Target } from '../../../src/store/target.ts'
import { type ReadResults, readResults } from '../../../src/wire/thrift/row-results-reader.ts'
import { beyondProtocol, tableOfTarget } from '../reach/beyond-protocol.ts'
import type { ServerHandouts } from '../scans/server-handouts.ts'
import { tget } from './query-structs.ts'
import type { ThriftCatalog } from './thrift-catalog.ts'
import { changeRow } from './thrift-row-change.ts'
import { ThriftScanSource } from './thrift-scan-source.ts'
import { THRIFT_REACH, type ThriftServer } from './thrift-server.ts'
import { ThriftWrites } from './thrift-writes.ts'

/** The most gets of a call. */
const GETS_AT_ONCE = 100

export class ThriftRows implements Rows {
  readonly #server: ThriftServer
  readonly #catalog: ThriftCatalog
  readonly #handouts: ServerHandouts
  readonly #writes: ThriftWrites

  constructor(server: ThriftServer, catalog: ThriftCatalog, handouts: ServerHandouts) {
    this.#server = server
    this.#catalog = catalog
    this.#handouts = handouts
    this.#writes = new ThriftWrites(server, (error, table, call) => this.#withTableState(error, table, call))
  }

  async get(target: Target, gets: readonly Get[], limits: GetLimits, call: Call): Promise<Results> {
    const table = tableOfTarget(target, THRIFT_REACH)
    const cells = new CellBlockBuilder()
    const counts: number[] = []
    for (let at = 0; at < gets.length; at += GETS_AT_ONCE) {
      if (counts.length > 0 && cells.length >= limits.bytes) break
      const read = await this.#get(table, gets.slice(at, at + GETS_AT_ONCE), call)
      const { buffer, start } = read.cells
      let from = start
      for (const count of read.counts) {
        if (counts.length > 0 && cells.length >= limits.bytes) return { cells: cells.block(), counts }
        let to = from
        for (let i = 0; i < count; i++) to += CELL_PREFIX_BYTES + readInt32(buffer, to)
        const offset = cells.reserve(to - from)
        cells.length = offset + buffer.copy(cells.buffer, offset, from, to)
        counts.push(count)
        from = to
      }
    }
    return { cells: cells.block(), counts }
  }

  async openScanner(target: Target, query: Scan, call: Call): Promise<OpenScanner> {
    const table = tableOfTarget(target, THRIFT_REACH)
    const withReason = (error: unknown, ofCall: Call): Promise<unknown> =>
      this.#withTableState(error, table, ofCall)
    return this.#handouts.open(
      query,
      (from) => new ThriftScanSource(this.#server, table, from, withReason),
      call,
    )
  }

  mutate(target: Target, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]> {
    return this.#writes.mutate(tableOfTarget(target, THRIFT_REACH), batch, call)
  }

  async mutateRow(target: Target, mutation: RowMutation, call: Call): Promise<RowMutationOutcome> {
    const table = tableOfTarget(target, THRIFT_REACH)
    try {
      return await changeRow(this.#server, table, mutation, call)
    } catch (error) {
      throw await this.#withTableState(error, table, call)
    }
  }

  async mutateRows(): Promise<boolean> {
    throw beyondProtocol(THRIFT_REACH, 'a change of several rows at once')
  }

  async #get(table: TableName, gets: readonly Get[], call: Call): Promise<ReadResults> {
    const args = { table: Buffer.from(table), tgets: gets.map(tget) }
    try {
      const asked = { operation: `get of ${table}`, method: 'getMultiple', args, readResult: readResults }
      return await this.#server.ask<ReadResults>(asked, call)
    } catch (error) {
      throw await this.#withTableState(error, table, call)
    }
  }

  /** The error, or that of the table's state: servers report an absent or disabled table by its name alone. */
  async #withTableState(error: unknown, table: TableName, call: Call): Promise<unknown> {
    if (!isHBaseError(error) || error.detail?.['isPlain'] !== true) return error
    if (!error.message.includes(table)) return error
    if (!(await this.#catalog.tableExists(table, call)))
      return new HBaseError('TABLE_NOT_FOUND', table, { cause: error })
    const isDisabled = (await this.#catalog.tableState(table, call)) === 'DISABLED'
    return isDisabled ? new HBaseError('TABLE_NOT_ENABLED', error.message, { cause: error }) : error
  }
}
