import { detached } from '../../../src/model/detached.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import { type Call, checkIsAwaited } from '../../../src/store/call.ts'
import type { HandoutId, Handouts, OpenScanner, ScanLimits } from '../../../src/store/handouts.ts'
import { unknownScanner } from '../../../src/store/refusals.ts'
import type { ServerTime } from '../requests/server-time.ts'
import type { OpenSource } from './scan-source.ts'
import { ServerScan } from './server-scan.ts'

/** The open scans. Results are copies, so no memory is on loan. */
export class ServerHandouts implements Handouts {
  readonly #scans = new Map<HandoutId, ServerScan>()
  readonly #time: ServerTime
  #lastId = 0

  constructor(time: ServerTime) {
    this.#time = time
  }

  /** Opens a scan and makes its first request. Throws as Rows.openScanner. */
  async open(scan: Scan, source: OpenSource, call: Call): Promise<OpenScanner> {
    const opened = new ServerScan(detached(scan), source)
    try {
      await opened.begin(call)
    } catch (error) {
      await opened.close()
      throw error
    }
    const id = ++this.#lastId
    this.#scans.set(id, opened)
    return { id, readPoint: 0n }
  }

  async next(id: HandoutId, limits: ScanLimits, call: Call): Promise<ScanBatch> {
    const scan = this.#scans.get(id)
    if (scan === undefined) throw unknownScanner(id)
    checkIsAwaited(call, this.#time.now())
    return scan.next(limits, call)
  }

  async closeScanner(id: HandoutId): Promise<void> {
    const scan = this.#scans.get(id)
    this.#scans.delete(id)
    await scan?.close()
  }

  release(): void {}

  async closeAll(): Promise<void> {
    const scans = [...this.#scans.values()]
    this.#scans.clear()
    for (const scan of scans) await scan.close()
  }
}
