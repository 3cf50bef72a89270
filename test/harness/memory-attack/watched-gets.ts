/** One small get after the other while something else happens: each must be answered, if only by a refusal for now. */

const PAUSE_MS = 100
/** A get that has no answer after this time has failed. */
const PATIENCE_MS = 10_000
const ALLOWED: ReadonlySet<number> = new Set([200, 503])

export class WatchedGets {
  /** Answers by status. */
  readonly answers: Map<number, number> = new Map()
  readonly failures: string[] = []
  slowestMs = 0
  readonly #url: string
  #isStopped = false
  readonly #done: Promise<void>

  constructor(url: string) {
    this.#url = url
    this.#done = this.#run()
  }

  /** Resolves once the last get is answered. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#done
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const start = performance.now()
      try {
        const answer = await fetch(this.#url, { signal: AbortSignal.timeout(PATIENCE_MS) })
        await answer.arrayBuffer()
        this.answers.set(answer.status, (this.answers.get(answer.status) ?? 0) + 1)
        if (!ALLOWED.has(answer.status)) this.failures.push(`a get was answered by ${answer.status}`)
      } catch (error) {
        const { message, cause } = error as Error
        const why = cause instanceof Error ? `: ${cause.message}` : ''
        this.failures.push(`a get failed after ${Math.round(performance.now() - start)} ms: ${message}${why}`)
      }
      this.slowestMs = Math.max(this.slowestMs, performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}
