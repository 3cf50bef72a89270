import { isHBaseError } from '../../../src/model/errors.ts'
import type { LentResults } from '../../../src/model/results.ts'
import { withFacets, withMethods } from '../../../src/store/decorate.ts'
import type { Handouts } from '../../../src/store/handouts.ts'
import type { Rows } from '../../../src/store/rows.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreReader } from './open-reader.ts'

/** Ids of the reader are odd, those of the store even. */
const IDS = 2

/**
 * The store, of which the reader answers the reads. A get that the reader fails to read from a file is asked of the store, which says why, or can read it.
 */
export function readBeside(store: Store, reader: StoreReader): Store {
  const { handouts } = store
  const rows: Pick<Rows, 'get' | 'openScanner'> = {
    get: async (target, gets, limits, call) => {
      try {
        return withLoan(await reader.rows.get(target, gets, limits, call), ofReader)
      } catch (error) {
        if (!isOfFile(error)) throw error
        return withLoan(await store.rows.get(target, gets, limits, call), ofStore)
      }
    },
    openScanner: async (target, scan, call) => {
      try {
        const opened = await reader.rows.openScanner(target, scan, call)
        return { ...opened, id: ofReader(opened.id) }
      } catch (error) {
        if (!isOfFile(error)) throw error
        const opened = await store.rows.openScanner(target, scan, call)
        return { ...opened, id: ofStore(opened.id) }
      }
    },
  }
  const sideOf = (id: number): Handouts => (id % IDS === 1 ? reader.handouts : handouts)
  const both: Handouts = {
    next: async (id, limits, call) => {
      const batch = await sideOf(id).next(Math.floor(id / IDS), limits, call)
      return { ...batch, results: withLoan(batch.results, id % IDS === 1 ? ofReader : ofStore) }
    },
    closeScanner: (id) => sideOf(id).closeScanner(Math.floor(id / IDS)),
    release: (loan) => sideOf(loan).release(Math.floor(loan / IDS)),
  }
  const close = async (): Promise<void> => {
    reader.close()
    await store.close()
  }
  return { ...withFacets(store, { rows: withMethods(store.rows, rows), handouts: both }), close }
}

function ofReader(id: number): number {
  return id * IDS + 1
}

function ofStore(id: number): number {
  return id * IDS
}

function withLoan<Lent extends LentResults>(results: Lent, idOf: (id: number) => number): Lent {
  return results.loan === undefined ? results : { ...results, loan: idOf(results.loan) }
}

/** The disk, or damage, keeps a read from its end. */
function isOfFile(error: unknown): boolean {
  return isHBaseError(error) && (error.code === 'CORRUPTION' || error.code === 'IO')
}
