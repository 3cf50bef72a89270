/** The lines that an example prints, and the count of its own checks. */

import { isDeepStrictEqual } from 'node:util'

export type Say = (line: string) => void

/** `1 row`, `20 rows`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

export class Report {
  readonly #say: Say
  #passed = 0
  #failed = 0

  constructor(say: Say) {
    this.#say = say
  }

  heading(line: string): void {
    this.#say('')
    this.#say(`== ${line}`)
  }

  say(line: string): void {
    this.#say(`   ${line}`)
  }

  /** The first few lines, and how many more there are. */
  some(lines: readonly string[], most: number): void {
    for (const line of lines.slice(0, most)) this.say(line)
    if (lines.length > most) this.say(`... and ${lines.length - most} more`)
  }

  /** Prints how long the work took. `summary` describes its result: `20 rows` becomes `20 rows in 3.1 ms`. */
  async timed<T>(summary: (result: T) => string, work: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const result = await work()
    this.say(`${summary(result)} in ${(performance.now() - started).toFixed(1)} ms`)
    return result
  }

  check(claim: string, found: unknown, expected: unknown): void {
    const isTrue = isDeepStrictEqual(found, expected)
    if (isTrue) this.#passed++
    else this.#failed++
    this.say(`${isTrue ? 'ok    ' : 'FAILED'} ${claim}`)
    if (!isTrue) this.say(`       found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`)
  }

  /** Prints the last line, and returns the exit code. */
  end(): number {
    this.#say('')
    this.#say(`${this.#passed} passed, ${this.#failed} failed`)
    return this.#failed === 0 && this.#passed > 0 ? 0 : 1
  }
}
