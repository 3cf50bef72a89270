/** Thrift 2's scanners. */

import { DeferredScanner } from '../../../../gateway/reads/deferred-scanner.ts'
import type { Call } from '../../../../store/call.ts'
import type { Handouts } from '../../../../store/handouts.ts'
import { RowResults, ThriftException, type ThriftHandlers } from '../../contract/thrift-service.ts'
import { largeFiltersRead } from '../filter-argument.ts'
import { checkPageRows } from '../page-room.ts'
import { type Page, ScannerPages } from '../scanner-pages.ts'
import { scannerNotOpen, scannerReader } from '../scanner-reader.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableNameFromBytes } from '../table-argument.ts'
import { scanFromTScan } from './queries.ts'
import type { TScan } from './structs.ts'

/** An open scanner of a client. */
export interface Thrift2Scanner {
  /** True where TScan.batchSize is set: a row may come as several results. */
  readonly isBatched: boolean
  /** True where the scan names a copy of the regions: its results are stale, also in a store without real copies. */
  readonly isStale: boolean
}

interface ScanArguments {
  readonly table: Buffer
  readonly tscan: TScan
}
interface IdArguments {
  readonly scannerId: number
}
interface CountArguments {
  readonly numRows: number
}

export function thrift2Scanners({
  store,
  limits,
  memory,
  leases,
}: ServiceContext<Thrift2Scanner>): ThriftHandlers {
  const open = (
    { table: name, tscan }: ScanArguments,
    caching: number | undefined,
  ): { pages: ScannerPages; open: Thrift2Scanner; queryBytes: number } => {
    const table = tableNameFromBytes(name)
    const query = scanFromTScan(tscan)
    const scanner = new DeferredScanner(store, table, query)
    const pages = new ScannerPages(scanner, store.handouts, {
      caching,
      answerBytesMax: limits.responseBytesMax,
      allowScattered: false,
      memory,
    })
    const { queryBytes } = scanner
    return { pages, queryBytes, open: { isBatched: query.batch > 0, isStale: query.replica !== undefined } }
  }

  const next = scannerReader<Thrift2Scanner>(
    { store, leases },
    {
      check: (id, count, call) => {
        if (!leases.has(id, call)) {
          const cause = scannerNotOpen(id)
          throw new ThriftException('TIllegalArgument', { message: 'Invalid scanner Id' }, { cause })
        }
        checkPageRows(count)
      },
      page: nextPage,
      rows: rowsOf,
    },
  )

  return {
    openScanner: async (args: ScanArguments, call) => {
      await largeFiltersRead(args.tscan)
      const { pages, open: opened, queryBytes } = open(args, args.tscan.caching)
      return leases.open(pages, opened, call, queryBytes)
    },
    getScannerRows: ({ scannerId, numRows }: IdArguments & CountArguments, call) =>
      next(scannerId, numRows, call),
    /** QUIRK thrift2-scanner-close-scanner-99999: HBase closes an unknown scanner without an error. */
    closeScanner: async ({ scannerId }: IdArguments, call) => {
      await leases.close(scannerId, call)
    },
    getScannerResults: async ({ numRows, ...args }: ScanArguments & CountArguments, call) => {
      checkPageRows(numRows)
      await largeFiltersRead(args.tscan)
      const { pages, open: opened } = open(args, numRows)
      try {
        return rowsOf(await nextPage(pages, opened, numRows, call), opened, store.handouts)
      } finally {
        await pages.close()
      }
    },
  }
}

function nextPage(
  pages: ScannerPages,
  { isBatched }: Thrift2Scanner,
  count: number,
  call: Call,
): Promise<Page> {
  return isBatched ? pages.nextWithPartial(count, call) : pages.next(count, call)
}

function rowsOf(page: Page, { isBatched, isStale }: Thrift2Scanner, handouts: Handouts): RowResults {
  const { partial, encodedBytes, onRelease } = page
  const options = { isStale: page.stale ?? isStale, encodedBytes, onRelease }
  return new RowResults(page, handouts, isBatched ? { ...options, partial } : options)
}
