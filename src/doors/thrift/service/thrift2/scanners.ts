/** Thrift 2's scanners. */

import { DeferredScanner } from '../../../../gateway/deferred-scanner.ts'
import type { Scanner } from '../../../../gateway/scanner.ts'
import { HBaseError } from '../../../../model/errors.ts'
import type { Call } from '../../../../store/call.ts'
import type { Handouts } from '../../../../store/handouts.ts'
import { RowResults, ThriftException, type ThriftHandlers } from '../../thrift-service.ts'
import { ScannerPages } from '../scanner-pages.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableOf } from '../table-argument.ts'
import { scanOf } from './queries.ts'
import type { TScan } from './structs.ts'

/** A scanner that a client holds. */
export interface OpenScanner {
  readonly pages: ScannerPages
  /** TScan.batchSize: a row may come as several results. */
  readonly isBatched: boolean
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

export function thrift2Scanners({ store, limits, leases }: ServiceContext<OpenScanner>): ThriftHandlers {
  const open = (
    { table: name, tscan }: ScanArguments,
    caching: number | undefined,
  ): { scanner: Scanner; open: OpenScanner } => {
    const table = tableOf(name)
    const query = scanOf(tscan)
    const scanner = new DeferredScanner(store, table, query)
    const pages = new ScannerPages(scanner, store.handouts, {
      caching,
      answerBytesMax: limits.responseBytesMax,
      allowScattered: false,
    })
    return { scanner, open: { pages, isBatched: query.batch > 0 } }
  }

  return {
    openScanner: (args: ScanArguments) => {
      const { scanner, open: opened } = open(args, args.tscan.caching)
      return leases.open(scanner, opened)
    },
    getScannerRows: ({ scannerId, numRows }: IdArguments & CountArguments, call) => {
      if (!leases.has(scannerId)) {
        const cause = new HBaseError('UNKNOWN_SCANNER', `scanner ${scannerId} is not open`)
        throw new ThriftException('TIllegalArgument', { message: 'Invalid scanner Id' }, { cause })
      }
      checkCount(numRows)
      return leases.use(scannerId, (_, opened) => nextResults(opened, numRows, store.handouts, call))
    },
    /** No error for a scanner that is not there: it may have expired. */
    closeScanner: async ({ scannerId }: IdArguments) => {
      await leases.close(scannerId)
    },
    getScannerResults: async ({ numRows, ...args }: ScanArguments & CountArguments, call) => {
      checkCount(numRows)
      const { scanner, open: opened } = open(args, numRows)
      try {
        return await nextResults(opened, numRows, store.handouts, call)
      } finally {
        await scanner.close()
      }
    },
  }
}

async function nextResults(
  { pages, isBatched }: OpenScanner,
  count: number,
  handouts: Handouts,
  call: Call,
): Promise<RowResults> {
  if (!isBatched) return new RowResults(await pages.next(count, call), handouts)
  const { results, partial } = await pages.nextWithPartial(count, call)
  return new RowResults(results, handouts, { partial })
}

function checkCount(count: number): void {
  if (count < 0) throw new HBaseError('ILLEGAL_ARGUMENT', `Illegal Capacity: ${count}`)
}
