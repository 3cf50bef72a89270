import { fileStates } from './file-states.ts'

/** The default time between two checks. */
const LOOK_MS = 1000

/** Calls `changed` when one of the files has changed. */
export class WatchedFiles {
  readonly #paths: readonly string[]
  readonly #changed: () => void
  readonly #timer: NodeJS.Timeout
  #state: string

  constructor(paths: readonly string[], changed: () => void, lookMs: number = LOOK_MS) {
    this.#paths = paths
    this.#changed = changed
    this.#state = fileStates(paths)
    this.#timer = setInterval(() => this.look(), lookMs).unref()
  }

  look(): void {
    const state = fileStates(this.#paths)
    if (state === this.#state) return
    this.#state = state
    this.#changed()
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
