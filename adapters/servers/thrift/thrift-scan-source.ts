import type { CellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import { type ReadResults, readResults } from '../../../src/wire/thrift/row-results-reader.ts'
import { FetchSize } from '../scans/fetch-size.ts'
import type { ScanSource } from '../scans/scan-source.ts'
import { tscan } from './query-structs.ts'
import type { ThriftServer } from './thrift-server.ts'

const FIRST_RESULTS = 16
const RESULTS_MAX = 1000
/** The most cells of a result, so that a large row arrives in pieces. */
const BATCH_CELLS = 1000

/** A scan through a scanner of Thrift 2, which the server knows by its id. */
export class ThriftScanSource implements ScanSource {
  readonly #server: ThriftServer
  readonly #table: TableName
  readonly #scan: Scan
  readonly #withReason: (error: unknown, call: Call) => Promise<unknown>
  readonly #size: FetchSize
  #id: number | undefined
  #isEnded = false

  /** `withReason`: the error, or the one whose code the server left out. */
  constructor(
    server: ThriftServer,
    table: TableName,
    scan: Scan,
    withReason: (error: unknown, call: Call) => Promise<unknown>,
  ) {
    this.#server = server
    this.#table = table
    this.#scan = scan
    this.#withReason = withReason
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
          // The rows of a lost answer cannot be read again.
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
    // HBase refuses a batch with filters that decide on whole rows.
    const cells = filter === undefined ? (batch > 0 ? Math.min(batch, BATCH_CELLS) : BATCH_CELLS) : batch
    const args = { table: Buffer.from(this.#table), tscan: tscan(this.#scan, this.#size.count, cells) }
    return this.#server.ask({ operation: `scan of ${this.#table}`, method: 'openScanner', args }, call)
  }

  /** A broken connection has lost an answer, so the scan continues with another scanner. */
  async #failure(error: unknown, call: Call): Promise<unknown> {
    if (!isHBaseError(error)) return error
    const isBroken = error.code === 'UNAVAILABLE' || error.code === 'TIMEOUT'
    if (!isBroken || this.#id === undefined) return this.#withReason(error, call)
    return new HBaseError('UNKNOWN_SCANNER', error.message, { cause: error })
  }
}
