import { unreachedPlace } from '../terminal/absent-server.ts'
import { DISPLAY } from '../terminal/command-progress.ts'
import type { ProgressDisplay } from '../terminal/progress-display.ts'

/** A server that starts just now is worth no line. */
const SILENT_MS = 3000
const EVERY_MS = 1000

type Display = Pick<ProgressDisplay, 'isInPlace' | 'print' | 'trouble'>

/**
 * Says that a server does not answer, once it has not for three seconds, and that it answers again. On a terminal the seconds count in place; elsewhere
 * there is a line for each reason, and one whenever the time has doubled.
 */
export class OutageReporter {
  readonly #server: string
  readonly #display: Display
  readonly #now: () => number
  #reason: string | undefined
  #hasAnswered = false
  #sinceMs: number | undefined
  #timer: NodeJS.Timeout | undefined
  #printedReason: string | undefined
  #printAtMs = SILENT_MS
  #isPrinted = false

  constructor(server: string, display: Display = DISPLAY, now: () => number = () => performance.now()) {
    this.#server = server
    this.#display = display
    this.#now = now
  }

  /** The server is asked. As long as it has never answered, it may not be there. */
  asked(): void {
    if (!this.#hasAnswered) this.#begin()
  }

  /** A call failed, and is made again. */
  failed(reason: string): void {
    this.#reason = reason
    this.#begin()
    this.#review()
  }

  answered(): void {
    this.#hasAnswered = true
    if (this.#sinceMs === undefined) return
    this.end()
    if (this.#isPrinted) this.#display.print(`${this.#server}: it answers again`)
    this.#isPrinted = false
  }

  /** The command ends, or is about to say itself what is wrong. */
  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#sinceMs = undefined
    this.#reason = undefined
    this.#printedReason = undefined
    this.#printAtMs = SILENT_MS
    this.#display.trouble(this.#server, undefined)
  }

  #begin(): void {
    this.#sinceMs ??= this.#now()
    this.#timer ??= setInterval(() => this.#review(), EVERY_MS).unref()
  }

  #review(): void {
    const ms = this.#now() - this.#sinceMs!
    if (ms < SILENT_MS) return
    const text = `${this.#text()} (${Math.floor(ms / 1000)} s)`
    if (this.#display.isInPlace) {
      this.#display.trouble(this.#server, text)
      return
    }
    if (ms < this.#printAtMs && this.#printedReason === this.#reason) return
    while (this.#printAtMs <= ms) this.#printAtMs *= 2
    this.#printedReason = this.#reason
    this.#isPrinted = true
    this.#display.print(text)
  }

  #text(): string {
    const reason = this.#reason
    if (reason === undefined) return `${this.#server} has not answered yet, waiting`
    const place = unreachedPlace(reason)
    return place === undefined
      ? `${this.#server}: ${reason}; trying again`
      : `Cannot reach ${place}, trying again`
  }
}
