/** Scans of every shape, over every door, one after the other. */

import { type Calls, Retryable } from './calls.ts'
import type { OpenScan, ScanDoor, ScanSpec, SeenRow } from './door-client.ts'
import type { Findings } from './findings.ts'
import type { Ledger } from './ledger.ts'
import { ScanCheck } from './scan-check.ts'
import { Family, ROWS, rowName } from './settings.ts'
import { randomBelow, randomOf, type StopSignal } from './stop-signal.ts'

export interface ScannerContext {
  readonly calls: Calls
  readonly findings: Findings
  readonly ledger: Ledger
  readonly stop: StopSignal
  readonly tally: ScanTally
  /** Between two scans of a loop. Left out: none. */
  readonly pauseMs?: number
}

export interface ScanTally {
  scans: number
  rows: number
  cutShort: number
  resumed: number
  mixed: number
}

/** Refusals after which a scan is given up. */
const RETRIES_MAX = 12

export class ScanLoop {
  readonly #context: ScannerContext
  readonly #doors: readonly ScanDoor[]

  constructor(context: ScannerContext, doors: readonly ScanDoor[]) {
    this.#context = context
    this.#doors = doors
  }

  async run(): Promise<void> {
    const { stop, pauseMs = 0 } = this.#context
    while (!stop.stopped) {
      const spec = randomSpec()
      const door = randomOf(this.#doors.filter((each) => each.supports(spec)))
      try {
        await this.#scan(door, spec)
        if (pauseMs > 0) await stop.sleep(pauseMs)
      } catch {
        // Recorded as a finding, or to be retried.
        await stop.sleep(100)
      }
    }
    for (const door of this.#doors) door.close()
  }

  async #scan(door: ScanDoor, spec: ScanSpec): Promise<void> {
    const { calls, findings, ledger, tally } = this.#context
    const check = new ScanCheck(findings, ledger, door.name, spec)
    const scan = await calls.run(`${door.name} open`, () => door.open(spec), door.deadlines)
    let whole = false
    try {
      for (;;) {
        const rows = await this.#next(door, scan)
        if (rows === undefined) break
        for (const row of rows) check.add(row)
      }
      whole = true
    } finally {
      check.end(whole)
      tally.scans++
      tally.rows += check.rows
      tally.mixed += check.mixed
      if (!whole) tally.cutShort++
    }
    await calls.run(`${door.name} close`, () => scan.close())
  }

  /** Asks the same scanner again if it can go on. */
  async #next(door: ScanDoor, scan: OpenScan): Promise<readonly SeenRow[] | undefined> {
    const { calls, stop, tally } = this.#context
    for (let attempt = 1; ; attempt++) {
      try {
        return await calls.run(`${door.name} next`, () => scan.next(), door.deadlines)
      } catch (error) {
        const mayRetry = error instanceof Retryable && door.resumes && attempt < RETRIES_MAX
        if (!mayRetry || stop.stopped) throw error
        tally.resumed++
        await stop.sleep(100)
      }
    }
  }
}

function randomSpec(): ScanSpec {
  const family = randomBelow(8) === 0 ? Family.wide : Family.data
  const reversed = randomBelow(2) === 0
  const all = randomBelow(2) === 0
  // HBase takes a scan whose start row is its stop row for a get.
  const low = randomBelow(ROWS)
  const high = low + 1 + randomBelow(ROWS - low)
  const [from, to] = reversed ? [high, low] : [low, high]
  const isWide = family === Family.wide
  return {
    family,
    start: all ? '' : rowName(from),
    stop: all ? '' : rowName(to),
    reversed,
    batch: randomOf([0, 0, 2, 3, isWide ? 7 : 1]),
    limit: randomOf([0, 0, 1, 7, 333]),
    page: randomOf(isWide ? [1, 2, 50] : all ? [50, 100, 500] : [3, 20, 100]),
  }
}
