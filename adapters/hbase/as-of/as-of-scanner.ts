import type { Scan } from '../../../src/model/query.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import { RowScan, type ScannedRows } from '../../../src/query/row-scan.ts'
import type { Call } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import type { Retrier } from '../retry/retrier.ts'
import type { HandedScanner } from '../scan/hbase-handouts.ts'
import type { HBaseScanner } from '../scan/hbase-scanner.ts'
import { RawRows } from './raw-rows.ts'

/** A scan as of a timestamp. It evaluates all cells of the rows by the rules of a region. */
export class AsOfScanner implements HandedScanner {
  readonly readPoint = 0n
  readonly #raw: HBaseScanner
  readonly #rows: RawRows
  readonly #scan: RowScan
  readonly #retrier: Retrier
  /** The failure of a batch, which has lost rows: later calls fail with it too. */
  #failure: unknown

  /** Throws as RowScan. */
  constructor(
    raw: HBaseScanner,
    scan: Scan,
    table: Pick<ScannedRows, 'columns' | 'startKeys'>,
    retrier: Retrier,
    call: Call,
  ) {
    const { time } = retrier
    this.#raw = raw
    this.#retrier = retrier
    this.#rows = new RawRows(raw, time, call)
    const conditions = { now: BigInt(time.epochMs()), random: retrier.random }
    this.#scan = new RowScan(scan, { ...table, rows: this.#rows }, conditions)
  }

  async next(limits: ScanLimits, call: Call): Promise<ScanBatch> {
    if (this.#failure !== undefined) throw this.#failure
    const { time } = this.#retrier
    const { timeMs } = limits
    this.#retrier.checkIsAwaited(call)
    this.#rows.call = call
    this.#rows.until = timeMs === undefined ? Number.POSITIVE_INFINITY : time.now() + timeMs
    try {
      return await this.#scan.next(limits, () => {
        this.#retrier.checkIsAwaited(call)
        return time.now() < this.#rows.until
      })
    } catch (error) {
      this.#failure = error
      await this.close()
      throw error
    }
  }

  close(): Promise<void> {
    return this.#raw.close()
  }
}
