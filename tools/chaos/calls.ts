/** Records each request of a run: how long it took, and whether it failed in its protocol's retryable form. */

import type { Findings } from './findings.ts'
import { OPERATION_TIMEOUT_MS, SLACK_MS } from './settings.ts'

/** The answer says that the same request may succeed later; the request may have been carried out. */
export class Retryable extends Error {
  override readonly name = 'Retryable'
}

/** The writers' requests, many a second at each door; scans take longer. */
function isFrequent(what: string): boolean {
  return !/ (open|close|next|flood)$/.test(what)
}

interface Tally {
  done: number
  retryable: number
  other: number
  worstMs: number
  /** Retryable failures by message. */
  readonly reasons: Map<string, number>
}

export class Calls {
  readonly #findings: Findings
  readonly #tallies = new Map<string, Tally>()
  readonly #doneListeners = new Set<(what: string) => void>()
  #isHealthy = true

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** False while HBase is away, when failures are expected; failures at other times are counted apart. */
  set healthy(isHealthy: boolean) {
    this.#isHealthy = isHealthy
  }

  /** `what` is for the summary. `deadlines`: the number of operations in sequence. */
  async run<T>(what: string, call: () => Promise<T>, deadlines = 1): Promise<T> {
    const tally = this.#tallyOf(what)
    const start = performance.now()
    try {
      const result = await call()
      tally.done++
      for (const listener of this.#doneListeners) listener(what)
      return result
    } catch (error) {
      if (error instanceof Retryable) this.#retryable(tally, error)
      else {
        tally.other++
        this.#findings.fail(`${what} failed for good`, String(error).slice(0, 500))
      }
      throw error
    } finally {
      const took = performance.now() - start
      tally.worstMs = Math.max(tally.worstMs, took)
      const limit = deadlines * OPERATION_TIMEOUT_MS + SLACK_MS
      this.#findings.check('no request outlasts its deadline', took <= limit, () => `${what}: ${took} ms`)
    }
  }

  /** Waits up to `msMax` for one success of each frequent kind of request; resolves to the kinds without one. */
  async notRecovered(msMax: number): Promise<readonly string[]> {
    const missing = new Set(
      [...this.#tallies].filter(([what, { done }]) => done > 0 && isFrequent(what)).map(([what]) => what),
    )
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, msMax)
      const listener = (what: string): void => {
        missing.delete(what)
        if (missing.size > 0) return
        clearTimeout(timer)
        resolve()
      }
      this.#doneListeners.add(listener)
      listener('')
    })
    this.#doneListeners.clear()
    return [...missing]
  }

  print(): void {
    for (const [what, { done, retryable, other, worstMs, reasons }] of [...this.#tallies].sort(([a], [b]) =>
      a < b ? -1 : 1,
    )) {
      process.stdout.write(
        `${what}: ${done} done, ${retryable} to be tried again, ${other} failed, slowest ${Math.round(worstMs)} ms\n`,
      )
      for (const [reason, count] of reasons) process.stdout.write(`    ${count} x ${reason}\n`)
    }
  }

  #retryable(tally: Tally, { message }: Retryable): void {
    tally.retryable++
    const reason = `${this.#isHealthy ? 'HBASE UP: ' : ''}${message.replaceAll(/\d+/g, '#').slice(0, 160)}`
    tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1)
  }

  #tallyOf(what: string): Tally {
    let tally = this.#tallies.get(what)
    if (tally === undefined) {
      tally = { done: 0, retryable: 0, other: 0, worstMs: 0, reasons: new Map() }
      this.#tallies.set(what, tally)
    }
    return tally
  }
}
