import type { TableDescriptor } from '../../model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../model/errors.ts'
import type { LentResults } from '../../model/results.ts'
import type { TableName } from '../../model/table-name.ts'
import { withFacets, withMethods } from '../decorate.ts'
import type { Handouts, OpenScanner } from '../handouts.ts'
import type { ReadRows, Rows } from '../rows.ts'
import type { Store } from '../store.ts'
import { targetTable } from '../target.ts'

/** The reads that a thread answers itself, from memory that it shares with the store's thread. */
export interface LocalReads {
  readonly rows: ReadRows
  /** Of the scanners and loans that `rows` hands out. */
  readonly handouts: Handouts
  /** False: reads of the table are asked of the store at once. True also for a table that may have gone. */
  readonly mayRead: (table: TableName) => boolean
}

/** The reads before any policy, with the tables that they are of. */
export interface LocalStore extends LocalReads {
  /** As Catalog.table: a change that was answered before counts. */
  table(name: TableName): Promise<TableDescriptor>
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
    rows: withMethods(portStore.rows, readsBeside(portStore.rows, localReads)),
    handouts: handoutsOfBoth(portStore.handouts, localReads.handouts),
  })
}

/** A read that fails here for its table or a file is asked of the store, which has more tables, and may be able to read the file, or says why it is not. */
function readsBeside(ofStore: Rows, { rows, mayRead }: LocalReads): ReadRows {
  return {
    get: async (target, gets, limits, call) => {
      if (mayRead(targetTable(target))) {
        try {
          return withLoan(await rows.get(target, gets, limits, call), idOfThread)
        } catch (error) {
          if (!mayBeAnswered(error)) throw error
        }
      }
      return withLoan(await ofStore.get(target, gets, limits, call), idOfStore)
    },
    openScanner: async (target, scan, call) => {
      if (mayRead(targetTable(target))) {
        try {
          return withId(await rows.openScanner(target, scan, call), idOfThread)
        } catch (error) {
          if (!mayBeAnswered(error)) throw error
        }
      }
      return withId(await ofStore.openScanner(target, scan, call), idOfStore)
    },
  }
}

function withId(opened: OpenScanner, idOf: (id: number) => number): OpenScanner {
  return { ...opened, id: idOf(opened.id) }
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

/** Does work that a local read needs. Where it fails, threadStore asks the store for the whole read. */
export async function orAskStore<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!isHBaseError(error)) throw error
    throw new HBaseError('IO', `left to the store: ${error.message}`)
  }
}
