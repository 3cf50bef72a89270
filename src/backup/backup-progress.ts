/** The progress of a backup, for people and for programs. */

export interface Progress {
  readonly files: number
  /** Whole ones. */
  readonly filesDone: number
  readonly bytes: number
  readonly bytesDone: number
  /** Of these, the bytes of whole files: a command that goes on after Ctrl-C keeps them. */
  readonly bytesWhole: number
  /** Of bytesDone, the bytes that were there already. */
  readonly bytesFound: number
  readonly seconds: number
  readonly bytesPerSecond: number
  /** Undefined while it is not known. */
  readonly secondsLeft: number | undefined
  readonly isDone: boolean
}

/** Gets the progress once a second, and at the end. `verb`: copied, say. */
export type ProgressReport = (verb: string, progress: Progress) => void

export interface ProgressParts {
  readonly report: ProgressReport
  /** Called where a task begins; the progress function of it answers at any time. The returned function is called at its end. */
  readonly begins?: ((verb: string, progress: () => Progress) => () => void) | undefined
  /** The time in milliseconds, from any origin. */
  readonly now: () => number
}

const REPORT_MS = 1000

export class BackupProgress {
  readonly #verb: string
  readonly #all: { readonly files: number; readonly bytes: number }
  readonly #parts: ProgressParts
  readonly #begun: number
  readonly #ends: (() => void) | undefined
  #reportedAt: number
  #files = 0
  /** Moved now, found in place, and those of whole files. */
  #moved = 0
  #found = 0
  #whole = 0

  constructor(verb: string, all: { readonly files: number; readonly bytes: number }, parts: ProgressParts) {
    this.#verb = verb
    this.#all = all
    this.#parts = parts
    this.#begun = parts.now()
    this.#reportedAt = this.#begun
    this.#ends = parts.begins?.(verb, () => this.#progress(false))
  }

  readonly onBytes = (bytes: number): void => {
    this.#moved += bytes
    this.#reportSoon()
  }

  /** `found`: bytes of the file that need not be moved. */
  fileDone(bytes: number, found = 0): void {
    this.#files++
    this.#whole += bytes
    this.#found += found
    this.#reportSoon()
  }

  end(): void {
    this.#ends?.()
    this.#report(true)
  }

  #reportSoon(): void {
    const now = this.#parts.now()
    if (now - this.#reportedAt < REPORT_MS) return
    this.#reportedAt = now
    this.#report(false)
  }

  #report(isDone: boolean): void {
    this.#parts.report(this.#verb, this.#progress(isDone))
  }

  #progress(isDone: boolean): Progress {
    const { files, bytes } = this.#all
    const seconds = Math.max(0.001, (this.#parts.now() - this.#begun) / 1000)
    const bytesDone = Math.min(bytes, this.#moved + this.#found)
    const rate = this.#moved / seconds
    return {
      files,
      filesDone: this.#files,
      bytes,
      bytesDone,
      bytesWhole: Math.min(bytes, this.#whole),
      bytesFound: this.#found,
      seconds,
      bytesPerSecond: Math.round(rate),
      secondsLeft: isDone ? 0 : rate > 0 ? (bytes - bytesDone) / rate : undefined,
      isDone,
    }
  }
}
