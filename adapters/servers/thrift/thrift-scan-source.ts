import type { CellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import { type ReadResults, readResults } from '../../../src/wire/thrift/row-results-reader.ts'
import { FetchSize } from '../fetch-size.ts'
import type { ScanSource } from '../scan-source.ts'
import { tscan } from './query-structs.ts'
import type { ThriftServer } from './thrift-server.ts'

const FIRST_RESULTS = 16
const RESULTS_MAX = 1000
/** Cells of a result, so that a large row comes in pieces. */
const BATCH_CELLS = 1000

/** Scanners of Thrift 2, by their ids. */
export class ThriftScanSource implements ScanSource {
  readonly #server: ThriftServer
  readonly #table: TableName
  readonly #scan: Scan
  readonly #told: (error: unknown, call: Call) => Promise<unknown>
  readonly #size: FetchSize
  #id: number | undefined
  #isEnded = false

  /** `told`: the error with the code that the server left out. */
  constructor(
    server: ThriftServer,
    table: TableName,
    scan: Scan,
    told: (error: unknown, call: Call) => Promise<unknown>,
  ) {
    this.#server = server
    this.#table = table
    this.#scan = scan
    this.#told = told
    this.#size = new FetchSize(FIRST_RESULTS, RESULTS_MAX)
  }

  async fetch(rows: number, call: Call): Promise<CellBlock | undefined> {
    if (this.#isEnded) return undefined
    try {
      this.#id ??= await this.#open(call)
      const numRows = Math.max(1, Math.min(this.#size.count, rows))
      const read = await this.#server.ask<ReadResults>(
        {
          operation: `scan of ${this.#table}`,
          method: 'getScannerRows',
          args: { scannerId: this.#id, numRows },
          readResult: readResults,
          // The rows of an answer that is lost cannot be had again.
          isRepeatable: false,
        },
        call,
      )
      const { cells, counts } = read
      this.#size.answered(counts.length, cells.byteLength)
      if (counts.length > 0) return cells
      this.#isEnded = true
      return undefined
    } catch (error) {
      throw await this.#failure(error, call)
    }
  }

  async close(): Promise<void> {
    const scannerId = this.#id
    this.#id = undefined
    if (scannerId === undefined) return
    const asked = { operation: 'end of a scanner', method: 'closeScanner', args: { scannerId } }
    await this.#server.ask({ ...asked, isTriedOnce: true }, OWN_CALL).catch(() => undefined)
  }

  #open(call: Call): Promise<number> {
    const { filter, batch } = this.#scan
    // Some filters look at whole rows, and refuse a scan in pieces.
    const cells = filter === undefined ? (batch > 0 ? Math.min(batch, BATCH_CELLS) : BATCH_CELLS) : batch
    const args = { table: Buffer.from(this.#table), tscan: tscan(this.#scan, this.#size.count, cells) }
    return this.#server.ask({ operation: `scan of ${this.#table}`, method: 'openScanner', args }, call)
  }

  /** A connection that broke has taken an answer with it: the scan goes on with another scanner. */
  async #failure(error: unknown, call: Call): Promise<unknown> {
    if (!isHBaseError(error)) return error
    const isBroken = error.code === 'UNAVAILABLE' || error.code === 'TIMEOUT'
    if (!isBroken || this.#id === undefined) return this.#told(error, call)
    return new HBaseError('UNKNOWN_SCANNER', error.message, { cause: error })
  }
}
