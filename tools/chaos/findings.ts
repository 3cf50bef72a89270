/** The findings of a run: passed checks, and failed ones with the first of each kind in full. */

const SHOWN_MAX = 5

export class Findings {
  #passed = 0
  readonly #failed = new Map<string, string[]>()

  pass(count = 1): void {
    this.#passed += count
  }

  /** Only the first failures of each `kind` are shown. */
  fail(kind: string, detail: string): void {
    const details = this.#failed.get(kind) ?? []
    this.#failed.set(kind, details)
    details.push(detail)
    if (details.length <= SHOWN_MAX) process.stdout.write(`FAILED ${kind}: ${detail}\n`)
  }

  check(kind: string, holds: boolean, detail: () => string): void {
    if (holds) this.pass()
    else this.fail(kind, detail())
  }

  get failures(): number {
    let count = 0
    for (const details of this.#failed.values()) count += details.length
    return count
  }

  print(): void {
    for (const [kind, details] of this.#failed) {
      process.stdout.write(`failed: ${kind}: ${details.length} times\n`)
    }
    process.stdout.write(`${this.#passed} passed, ${this.failures} failed\n`)
  }
}
