import type { CellRun } from './cell-run.ts'

/**
 * A run that its store and open scanners hold in common. It is disposed of when the last of them lets go, so that a scan
 * goes on over what a flush or a compaction has replaced.
 */
export class SharedRun<Run extends CellRun> {
  readonly run: Run
  readonly #dispose: () => void
  #holders = 1

  /** Held by whoever makes it. */
  constructor(run: Run, dispose: () => void) {
    this.run = run
    this.#dispose = dispose
  }

  retain(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
    if (this.#holders === 0) this.#dispose()
  }
}
