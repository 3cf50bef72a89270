import { HBaseError } from '../../../model/errors.ts'
import { NO_RESULTS } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { Handouts } from '../../../store/handouts.ts'
import { RowResults } from '../contract/thrift-service.ts'
import { checkPageRows } from './page-room.ts'
import type { Page, ScannerPages } from './scanner-pages.ts'
import type { ServiceContext } from './service-context.ts'

/** The steps of a read from a scanner in which the services differ. */
export interface ReaderSteps<OpenScanner> {
  /** Throws where the scanner is not open. Runs before its lease is renewed. */
  readonly check: (id: number, count: number, call: Call) => void
  /** Reads the next results. */
  readonly page: (pages: ScannerPages, opened: OpenScanner, count: number, call: Call) => Promise<Page>
  /** The rows of a page, as the service answers them. */
  readonly rows: (page: Page, opened: OpenScanner, handouts: Handouts) => RowResults
}

export type ReadScanner = (id: number, count: number, call: Call) => Promise<RowResults> | RowResults

/**
 * Returns a function that reads the next rows of a scanner: none where that was read to its end. Closes a scanner that has lost rows by a failed
 * page.
 */
export function scannerReader<OpenScanner>(
  { store: { handouts }, leases }: Pick<ServiceContext<OpenScanner>, 'store' | 'leases'>,
  { check, page: nextPage, rows }: ReaderSteps<OpenScanner>,
): ReadScanner {
  return (id, count, call) => {
    if (leases.isFinished(id, call)) {
      checkPageRows(count)
      return new RowResults(NO_RESULTS, handouts)
    }
    check(id, count, call)
    return leases.use(id, call, async (pages, opened) => {
      let page: Page
      try {
        page = await nextPage(pages, opened, count, call)
      } catch (error) {
        if (pages.isLost) await leases.close(id, call)
        throw error
      }
      if (page.counts.length === 0 && count > 0) await leases.finish(id, call)
      return rows(page, opened, handouts)
    })
  }
}

/** The cause of the exception for a scanner that is not open. */
export function scannerNotOpen(id: number): HBaseError {
  return new HBaseError('UNKNOWN_SCANNER', `scanner ${id} is not open`)
}
