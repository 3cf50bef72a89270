/** A store whose calls fail at a moment that the test chooses: before they do anything, or when they have done it. */

import { HBaseError } from '../../src/model/errors.ts'
import type { Store } from '../../src/store/store.ts'

export class Interruption {
  /** Calls that still succeed. */
  left: number
  /** The call that fails has had its effect. */
  readonly isLate: boolean

  constructor(left: number, isLate: boolean) {
    this.left = left
    this.isLate = isLate
  }

  /** For anything that may be the last thing that happens. */
  async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.left > 0) {
      this.left--
      return work()
    }
    if (this.isLate) await work()
    throw new HBaseError('UNAVAILABLE', 'interrupted')
  }
}

export function interruptedStore(store: Store, interruption: Interruption): Store {
  const { rows, handouts } = store
  return {
    kind: store.kind,
    catalog: store.catalog,
    upkeep: store.upkeep,
    rows: {
      get: (...args) => rows.get(...args),
      openScanner: (...args) => interruption.through(() => rows.openScanner(...args)),
      mutate: (...args) => interruption.through(() => rows.mutate(...args)),
      mutateRow: (...args) => rows.mutateRow(...args),
      mutateRows: (...args) => rows.mutateRows(...args),
    },
    handouts: {
      next: (id, limits, call) =>
        // Small pieces, so that there are many moments.
        interruption.through(() => handouts.next(id, { ...limits, rows: 2, bytes: 60 }, call)),
      closeScanner: (id) => handouts.closeScanner(id),
      release: (loan) => handouts.release(loan),
    },
    clusterId: () => store.clusterId(),
    metrics: () => store.metrics(),
    outage: () => store.outage(),
    damage: () => store.damage(),
    troubles: () => store.troubles(),
    close: () => store.close(),
  }
}
