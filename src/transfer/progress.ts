/** The progress of a transfer: the amount moved, the speed, and the time left. */

import type { CoveredRows } from './covered-rows.ts'

export interface CopyProgress {
  readonly table: string
  readonly rows: number
  readonly cells: number
  readonly bytes: number
  readonly seconds: number
  readonly bytesPerSecond: number
  /** The number of finished regions of the source. */
  readonly regionsDone: number
  /** The number of all regions; 0: not known. */
  readonly regions: number
  /** Undefined before the first region is finished. */
  readonly secondsLeft: number | undefined
  readonly isDone: boolean
  /** Parts that are not copied, a sentence for each; absent: no such part is known. */
  readonly losses?: readonly string[]
}

const REPORT_MS = 1000

export class TransferProgress {
  readonly table: string
  readonly #now: () => number
  readonly #report: (progress: CopyProgress) => void
  readonly #warn: (text: string) => void
  readonly #losses: string[] = []
  readonly #begun: number
  #lastReportMs: number
  rows = 0
  cells = 0
  bytes = 0
  regionsDone = 0
  regions = 0
  /** The number of regions that were finished when this run began. */
  regionsBefore = 0
  /** The part of the rows that is done; undefined: not known. */
  covered: CoveredRows | undefined

  /** `now`: the time in milliseconds. `warn` gets each loss once. */
  constructor(
    table: string,
    now: () => number,
    report: (progress: CopyProgress) => void,
    warn: (text: string) => void = () => undefined,
  ) {
    this.table = table
    this.#now = now
    this.#report = report
    this.#warn = warn
    this.#begun = now()
    this.#lastReportMs = this.#begun
  }

  /** Reports the progress, at most once a second. */
  moved(): void {
    const now = this.#now()
    if (now - this.#lastReportMs < REPORT_MS) return
    this.#lastReportMs = now
    this.#report(this.#progress(false))
  }

  /** Adds a loss. Undefined: none. */
  lost(loss: string | undefined): void {
    if (loss === undefined || this.#losses.includes(loss)) return
    this.#losses.push(loss)
    this.#warn(`${this.table}: ${loss}`)
  }

  done(): CopyProgress {
    this.regionsDone = this.regions
    const progress = this.#progress(true)
    this.#report(progress)
    return progress
  }

  #progress(isDone: boolean): CopyProgress {
    const { rows, cells, bytes, regionsDone, regions } = this
    const seconds = Math.max(0.001, (this.#now() - this.#begun) / 1000)
    const doneNow = regionsDone - this.regionsBefore
    const left = doneNow > 0 ? ((regions - regionsDone) * seconds) / doneNow : undefined
    return {
      table: this.table,
      rows,
      cells,
      bytes,
      seconds,
      bytesPerSecond: Math.round(bytes / seconds),
      regionsDone,
      regions,
      secondsLeft: isDone ? 0 : left,
      isDone,
      ...(this.#losses.length > 0 && { losses: [...this.#losses] }),
    }
  }
}

/** The progress as a line for operators: `t: 12,345 rows, 4.5 MB, 1.2 MB/s, 3 of 7 regions, 12 s left`. */
export function progressText(progress: CopyProgress): string {
  const { table, rows, bytes, bytesPerSecond, regionsDone, regions, secondsLeft, seconds, isDone } = progress
  const parts = [
    `${table}: ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`,
    bytesText(bytes),
    `${bytesText(bytesPerSecond)}/s`,
  ]
  if (isDone) parts.push(`done in ${seconds.toFixed(1)} s`)
  else {
    if (regions > 0) parts.push(`${regionsDone} of ${regions} ${regions === 1 ? 'region' : 'regions'}`)
    if (secondsLeft !== undefined) parts.push(`about ${Math.ceil(secondsLeft)} s left`)
  }
  return parts.join(', ')
}

export function bytesText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes, 0]
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
