import type { CellRun } from '../cells/cell-run.ts'

/** A holder of a run that can go on in another one. */
export interface RunReader {
  /** `by`: undefined where no cell is left. */
  replaceRun(from: SharedRun<CellRun>, by: SharedRun<CellRun> | undefined): void
}

/**
 * A run that its store and open scanners hold in common. The last one to release it disposes of it, so that a scan goes on
 * over runs that a flush or a compaction has replaced.
 */
export class SharedRun<Run extends CellRun> {
  readonly run: Run
  /** The holders that can go on in another run. */
  readonly readers: Set<RunReader> = new Set()
  readonly #dispose: () => void
  #holders = 1

  /** The creator holds the run. */
  constructor(run: Run, dispose: () => void) {
    this.run = run
    this.#dispose = dispose
  }

  /** False once it was disposed of. */
  get isHeld(): boolean {
    return this.#holders > 0
  }

  /** Holders beside its store: scanners, and compactions that read it. */
  get readerCount(): number {
    return Math.max(0, this.#holders - 1)
  }

  retain(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
    if (this.#holders === 0) this.#dispose()
  }

  retainFor(reader: RunReader): void {
    this.readers.add(reader)
    this.retain()
  }

  releaseBy(reader: RunReader): void {
    this.readers.delete(reader)
    this.release()
  }
}
