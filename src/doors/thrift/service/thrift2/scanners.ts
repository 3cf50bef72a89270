/** Thrift 2's scanners. */

import { DeferredScanner } from '../../../../gateway/reads/deferred-scanner.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { NO_RESULTS } from '../../../../model/results.ts'
import type { Call } from '../../../../store/call.ts'
import type { Handouts } from '../../../../store/handouts.ts'
import { RowResults, ThriftException, type ThriftHandlers } from '../../contract/thrift-service.ts'
import { largeFiltersRead } from '../filter-argument.ts'
import { closedIfLost } from '../lost-scanner.ts'
import { checkPageRows } from '../page-room.ts'
import { ScannerPages } from '../scanner-pages.ts'
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

  return {
    openScanner: async (args: ScanArguments, call) => {
      await largeFiltersRead(args.tscan)
      const { pages, open: opened, queryBytes } = open(args, args.tscan.caching)
      return leases.open(pages, opened, call, queryBytes)
    },
    getScannerRows: ({ scannerId, numRows }: IdArguments & CountArguments, call) => {
      if (leases.isFinished(scannerId, call)) {
        checkPageRows(numRows)
        return new RowResults(NO_RESULTS, store.handouts)
      }
      if (!leases.has(scannerId, call)) {
        const cause = new HBaseError('UNKNOWN_SCANNER', `scanner ${scannerId} is not open`)
        throw new ThriftException('TIllegalArgument', { message: 'Invalid scanner Id' }, { cause })
      }
      checkPageRows(numRows)
      return leases.use(scannerId, call, async (pages, opened) => {
        const rows = await nextResults(pages, opened, numRows, store.handouts, call).catch(
          closedIfLost(pages, leases, scannerId, call),
        )
        if (rows.results.counts.length === 0 && numRows > 0) await leases.finish(scannerId, call)
        return rows
      })
    },
    /** QUIRK thrift2-scanner-close-scanner-99999: HBase closes an unknown scanner without an error. */
    closeScanner: async ({ scannerId }: IdArguments, call) => {
      await leases.close(scannerId, call)
    },
    getScannerResults: async ({ numRows, ...args }: ScanArguments & CountArguments, call) => {
      checkPageRows(numRows)
      await largeFiltersRead(args.tscan)
      const { pages, open: opened } = open(args, numRows)
      try {
        return await nextResults(pages, opened, numRows, store.handouts, call)
      } finally {
        await pages.close()
      }
    },
  }
}

async function nextResults(
  pages: ScannerPages,
  { isBatched, isStale }: Thrift2Scanner,
  count: number,
  handouts: Handouts,
  call: Call,
): Promise<RowResults> {
  const page = await (isBatched ? pages.nextWithPartial(count, call) : pages.next(count, call))
  const { partial, encodedBytes, onRelease } = page
  const options = { isStale: page.stale ?? isStale, encodedBytes, onRelease }
  return new RowResults(page, handouts, isBatched ? { ...options, partial } : options)
}
