import { isHBaseError } from '../../model/errors.ts'
import type { LentResults } from '../../model/results.ts'
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

/** Ids of the thread's own scanners and loans are odd, those of the store even. */
const IDS = 2

/**
 * The store of a thread: `portStore` answers all that the thread cannot answer itself. Closing it changes nothing: the store belongs to the other
 * thread. `localReads`: undefined for a store whose memory threads do not share.
 */
export function threadStore(portStore: Store, localReads: LocalReads | undefined): Store {
  const own = { ...portStore, close: async () => undefined }
  if (localReads === undefined) return own
  return withFacets(own, {
    rows: withMethods(portStore.rows, readsBeside(portStore.rows, localReads.rows)),
    handouts: handoutsOfBoth(portStore.handouts, localReads.handouts),
  })
}

/** A read that fails here for its table or a file is asked of the store, which has more tables, and may be able to read the file, or says why it is not. */
function readsBeside(ofStore: Rows, local: LocalReads['rows']): LocalReads['rows'] {
  return {
    get: async (target, gets, limits, call) => {
      try {
        return withLoan(await local.get(target, gets, limits, call), idOfThread)
      } catch (error) {
        if (!mayBeAnswered(error)) throw error
        return withLoan(await ofStore.get(target, gets, limits, call), idOfStore)
      }
    },
    openScanner: async (target, scan, call) => {
      try {
        const opened = await local.openScanner(target, scan, call)
        return { ...opened, id: idOfThread(opened.id) }
      } catch (error) {
        if (!mayBeAnswered(error)) throw error
        const opened = await ofStore.openScanner(target, scan, call)
        return { ...opened, id: idOfStore(opened.id) }
      }
    },
  }
}

function handoutsOfBoth(ofStore: Handouts, ofThread: Handouts): Handouts {
  const handoutsOf = (id: number): Handouts => (isOfThread(id) ? ofThread : ofStore)
  return {
    next: async (id, limits, call) => {
      const batch = await handoutsOf(id).next(Math.floor(id / IDS), limits, call)
      const { results } = batch
      if (results.loan === undefined) return batch
      return { ...batch, results: withLoan(results, isOfThread(id) ? idOfThread : idOfStore) }
    },
    closeScanner: (id) => handoutsOf(id).closeScanner(Math.floor(id / IDS)),
    release: (loan) => handoutsOf(loan).release(Math.floor(loan / IDS)),
  }
}

function isOfThread(id: number): boolean {
  return id % IDS === 1
}

function idOfThread(id: number): number {
  return id * IDS + 1
}

function idOfStore(id: number): number {
  return id * IDS
}

function withLoan<Lent extends LentResults>(results: Lent, idOf: (id: number) => number): Lent {
  return results.loan === undefined ? results : { ...results, loan: idOf(results.loan) }
}

function mayBeAnswered(error: unknown): boolean {
  if (!isHBaseError(error)) return false
  return error.code === 'TABLE_NOT_FOUND' || error.code === 'CORRUPTION' || error.code === 'IO'
}
