import { printProgress } from '../terminal/print-lines.ts'

/** Prints that a server is away, once it has been so for `afterMs`, and that it answers again. A server that starts just now is worth no line. */
export class OutageReporter {
  readonly #server: string
  readonly #afterMs: number
  readonly #print: (line: string) => void
  readonly #printed = new Set<string>()
  #reason = ''
  #timer: NodeJS.Timeout | undefined

  constructor(server: string, afterMs: number, print: (line: string) => void = printProgress) {
    this.#server = server
    this.#afterMs = afterMs
    this.#print = print
  }

  /** A call failed, and is made again. Each reason of an outage is printed once. */
  failed(reason: string): void {
    this.#reason = reason
    if (this.#printed.size > 0) this.#say()
    else this.#timer ??= setTimeout(() => this.#say(), this.#afterMs).unref()
  }

  answered(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#printed.size > 0) this.#print(`${this.#server}: it answers again`)
    this.#printed.clear()
  }

  #say(): void {
    if (this.#printed.has(this.#reason)) return
    this.#printed.add(this.#reason)
    this.#print(`${this.#server}: ${this.#reason}; trying again`)
  }
}
