import type { CellRun } from '../cells/cell-run.ts'
import type { HeldRuns } from './held-runs.ts'

/**
 * A run that its store and open scanners hold in common. The last one to release it disposes of it, so that a scan goes on
 * over runs that a flush or a compaction has replaced.
 */
export class SharedRun<Run extends CellRun> {
  readonly run: Run
  /** The holders that can go on in another run. */
  readonly readers: Set<HeldRuns> = new Set()
  readonly #dispose: () => void
  #holders = 1

  /** The creator holds the run. */
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

  retainFor(reader: HeldRuns): void {
    this.readers.add(reader)
    this.retain()
  }

  releaseBy(reader: HeldRuns): void {
    this.readers.delete(reader)
    this.release()
  }
}
