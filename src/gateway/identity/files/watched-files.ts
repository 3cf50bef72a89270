import { statSync } from 'node:fs'

/** A file that is being replaced is seen after so long at most. */
const LOOK_MS = 1000

/** Calls `changed` where a file of a list has changed: also by a link that points elsewhere, as Kubernetes replaces its secrets. */
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
        // ctime: of a file that is given to another account nothing else changes.
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
