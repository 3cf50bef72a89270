import { statSync } from 'node:fs'

/** The default time between two checks. */
const LOOK_MS = 1000

/** Calls `changed` when one of the files has changed, also when a link points to another file: Kubernetes replaces secrets so. */
export class WatchedFiles {
  readonly #paths: readonly string[]
  readonly #changed: () => void
  readonly #timer: NodeJS.Timeout
  #state: string

  constructor(paths: readonly string[], changed: () => void, lookMs: number = LOOK_MS) {
    this.#paths = paths
    this.#changed = changed
    this.#state = this.#read()
    this.#timer = setInterval(() => this.look(), lookMs).unref()
  }

  look(): void {
    const state = this.#read()
    if (state === this.#state) return
    this.#state = state
    this.#changed()
  }

  #read(): string {
    const states = this.#paths.map((path) => {
      try {
        // A file that gets another owner changes in its ctime alone.
        const { ino, size, mtimeMs, ctimeMs } = statSync(path)
        return `${ino}:${size}:${mtimeMs}:${ctimeMs}`
      } catch {
        return 'unreadable'
      }
    })
    return states.join(' ')
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
