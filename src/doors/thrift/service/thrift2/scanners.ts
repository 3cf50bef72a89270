/** Thrift 2's scanners. */

import { HBaseError } from '../../../../model/errors.ts'
import { RowResults, ThriftException, type ThriftHandlers } from '../../thrift-service.ts'
import { ScannerPages } from '../scanner-pages.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableOf } from '../table-argument.ts'
import { scanOf } from './queries.ts'
import type { TScan } from './structs.ts'

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

export function thrift2Scanners({ store, limits, leases }: ServiceContext<ScannerPages>): ThriftHandlers {
  const pagesOf = { answerBytesMax: limits.responseBytesMax }
  return {
    openScanner: async ({ table, tscan }: ScanArguments) => {
      const scanner = await store.openScanner(tableOf(table), scanOf(tscan))
      return leases.open(scanner, new ScannerPages(scanner, { ...pagesOf, caching: tscan.caching }))
    },
    getScannerRows: ({ scannerId, numRows }: IdArguments & CountArguments) => {
      if (!leases.has(scannerId)) {
        throw new ThriftException('TIllegalArgument', { message: 'Invalid scanner Id' })
      }
      checkCount(numRows)
      return leases.use(scannerId, async (_, pages) => new RowResults(await pages.next(numRows)))
    },
    /** No error for a scanner that is not there: it may have expired. */
    closeScanner: async ({ scannerId }: IdArguments) => {
      await leases.close(scannerId)
    },
    getScannerResults: async ({ table, tscan, numRows }: ScanArguments & CountArguments) => {
      checkCount(numRows)
      const scanner = await store.openScanner(tableOf(table), scanOf(tscan))
      try {
        const pages = new ScannerPages(scanner, { ...pagesOf, caching: numRows })
        return new RowResults(await pages.next(numRows))
      } finally {
        await scanner.close()
      }
    },
  }
}

function checkCount(count: number): void {
  if (count < 0) throw new HBaseError('ILLEGAL_ARGUMENT', `Illegal Capacity: ${count}`)
}
