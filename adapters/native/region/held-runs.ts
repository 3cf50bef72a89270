import type { CellRun } from '../cells/cell-run.ts'
import type { FamilyRuns } from '../read/family-runs.ts'
import type { OnReplaced } from '../read/read-region.ts'
import type { RunReader, SharedRun } from './shared-run.ts'

/** A family's runs, kept for a read that takes longer than a turn of the event loop. */
export class HeldRuns implements RunReader {
  runs: FamilyRuns
  #held: readonly SharedRun<CellRun>[]
  readonly #endRead: () => void
  readonly #onReplaced: OnReplaced

  /** `endRead`: called at the release. */
  constructor(
    runs: FamilyRuns,
    held: readonly SharedRun<CellRun>[],
    endRead: () => void,
    onReplaced: OnReplaced,
  ) {
    this.runs = runs
    this.#held = held
    this.#endRead = endRead
    this.#onReplaced = onReplaced
    for (const shared of held) shared.retainFor(this)
  }

  replaceRun(from: SharedRun<CellRun>, by: SharedRun<CellRun> | undefined): void {
    by?.retainFor(this)
    this.#held = this.#held.flatMap((shared) => (shared === from ? (by ?? []) : [shared]))
    this.runs = { rules: this.runs.rules, runs: this.#held.map(({ run }) => run) }
    this.#onReplaced(from.run, by?.run)
    from.releaseBy(this)
  }

  release(): void {
    this.#endRead()
    for (const shared of this.#held) shared.releaseBy(this)
    this.#held = []
  }
}
