import { OWN_CALL } from '../store/call.ts'
import type { SentChange } from '../store/peer-cluster.ts'
import type { Store } from '../store/store.ts'
import { hasLabels, type LabelNames, labelsAsText, labelsIn, readLabels } from './labels-as-text.ts'

/** Changes with their labels as text. The names of labels are read when the first cell has any, and again when a cell has an unknown one. */
export class LabelledChanges {
  readonly #store: Pick<Store, 'rows' | 'handouts'>
  #names: LabelNames = new Map()

  constructor(store: Pick<Store, 'rows' | 'handouts'>) {
    this.#store = store
  }

  async asText(changes: readonly SentChange[]): Promise<SentChange[]> {
    const labelled = changes.filter(({ cells }) => hasLabels(cells))
    if (labelled.length === 0) return [...changes]
    const isKnown = labelled.every(({ cells }) => labelsIn(cells).every((label) => this.#names.has(label)))
    if (!isKnown) this.#names = await readLabels(this.#store, OWN_CALL)
    const wanted = new Set(labelled)
    return changes.map((change) =>
      wanted.has(change) ? { ...change, cells: labelsAsText(change.cells, this.#names) } : change,
    )
  }
}
