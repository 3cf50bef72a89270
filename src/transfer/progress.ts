/** What has been moved, how fast, and what is left. */

export interface CopyProgress {
  readonly table: string
  readonly rows: number
  readonly cells: number
  readonly bytes: number
  readonly seconds: number
  readonly bytesPerSecond: number
  /** Regions of the source that are done, and all of them; 0: nobody knows. */
  readonly regionsDone: number
  readonly regions: number
  /** Undefined while nothing tells. */
  readonly secondsLeft: number | undefined
  readonly isDone: boolean
  /** Parts that do not come over, a sentence each; absent: nothing of the kind is known. */
  readonly losses?: readonly string[]
}

const TELL_MS = 1000

export class TransferProgress {
  readonly #table: string
  readonly #now: () => number
  readonly #tell: (told: CopyProgress) => void
  readonly #warn: (text: string) => void
  readonly #losses: string[] = []
  readonly #begun: number
  #lastReportMs: number
  rows = 0
  cells = 0
  bytes = 0
  regionsDone = 0
  regions = 0
  /** Regions that were done when this run began. */
  regionsBefore = 0

  /** `now`: milliseconds. `warn` hears of each loss once. */
  constructor(
    table: string,
    now: () => number,
    tell: (told: CopyProgress) => void,
    warn: (text: string) => void = () => undefined,
  ) {
    this.#table = table
    this.#now = now
    this.#tell = tell
    this.#warn = warn
    this.#begun = now()
    this.#lastReportMs = this.#begun
  }

  /** At most once a second. */
  moved(): void {
    const now = this.#now()
    if (now - this.#lastReportMs < TELL_MS) return
    this.#lastReportMs = now
    this.#tell(this.#told(false))
  }

  /** Something does not come over. Undefined: nothing. */
  lost(loss: string | undefined): void {
    if (loss === undefined || this.#losses.includes(loss)) return
    this.#losses.push(loss)
    this.#warn(`${this.#table}: ${loss}`)
  }

  done(): CopyProgress {
    this.regionsDone = this.regions
    const told = this.#told(true)
    this.#tell(told)
    return told
  }

  #told(isDone: boolean): CopyProgress {
    const { rows, cells, bytes, regionsDone, regions } = this
    const seconds = Math.max(0.001, (this.#now() - this.#begun) / 1000)
    const doneNow = regionsDone - this.regionsBefore
    const left = doneNow > 0 ? ((regions - regionsDone) * seconds) / doneNow : undefined
    return {
      table: this.#table,
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

/** A line for people: `t: 12,345 rows, 4.5 MB, 1.2 MB/s, 3 of 7 regions, 12 s left`. */
export function progressText(told: CopyProgress): string {
  const { table, rows, bytes, bytesPerSecond, regionsDone, regions, secondsLeft, seconds, isDone } = told
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

function bytesText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes, 0]
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
