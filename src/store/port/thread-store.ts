import { withFacets, withMethods } from '../decorate.ts'
import type { Handouts } from '../handouts.ts'
import type { Rows } from '../rows.ts'
import type { Store } from '../store.ts'

/** The reads that a thread answers itself, from memory that it shares with the store's thread. */
export interface LocalReads {
  readonly rows: Pick<Rows, 'get' | 'openScanner'>
  /** Of the scanners and loans that `rows` hands out. */
  readonly handouts: Handouts
}

/**
 * The store of a thread: `portStore` answers all that the thread cannot answer itself. Closing it changes nothing: the store belongs to the other
 * thread. `localReads`: undefined for a store whose memory threads do not share.
 */
export function threadStore(portStore: Store, localReads: LocalReads | undefined): Store {
  const own = { ...portStore, close: async () => undefined }
  if (localReads === undefined) return own
  const { rows, handouts } = localReads
  return withFacets(own, {
    rows: withMethods(portStore.rows, {
      get: (target, gets, limits, call) => rows.get(target, gets, limits, call),
      openScanner: (target, scan, call) => rows.openScanner(target, scan, call),
    }),
    handouts,
  })
}
