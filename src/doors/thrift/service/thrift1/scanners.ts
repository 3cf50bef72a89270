/** Thrift 1's scanners. */

import { DeferredScanner } from '../../../../gateway/reads/deferred-scanner.ts'
import { rowAfterPrefix } from '../../../../model/bytes.ts'
import { columnsNamed } from '../../../../model/column-name.ts'
import { type Scan, scan } from '../../../../model/query.ts'
import type { Call } from '../../../../store/call.ts'
import type { Handouts } from '../../../../store/handouts.ts'
import { RowResults, ThriftException, type ThriftHandlers } from '../../contract/thrift-service.ts'
import { largeFiltersRead, parseFilterArguments } from '../filter-argument.ts'
import { checkPageRows } from '../page-room.ts'
import { readAttributes, type WithAttributes } from '../query-attributes.ts'
import { required } from '../required.ts'
import { rangeArgument } from '../row-argument.ts'
import { type Page, ScannerPages } from '../scanner-pages.ts'
import { scannerNotOpen, scannerReader } from '../scanner-reader.ts'
import { tableNameFromBytes } from '../table-argument.ts'
import { olderThan } from './older-than.ts'
import type { Thrift1Context, Thrift1Scanner } from './thrift1-context.ts'

interface OpenArguments extends WithAttributes {
  readonly tableName?: Buffer
  readonly startRow?: Buffer
  readonly stopRow?: Buffer
  readonly columns?: readonly Buffer[]
  readonly timestamp?: bigint
}
interface OpenWithPrefixArguments extends WithAttributes {
  readonly tableName?: Buffer
  readonly startAndPrefix?: Buffer
  readonly columns?: readonly Buffer[]
}
interface TScan {
  readonly startRow?: Buffer
  readonly stopRow?: Buffer
  readonly timestamp?: bigint
  readonly columns?: readonly Buffer[]
  readonly caching?: number
  readonly filterString?: Buffer
  readonly batchSize?: number
  readonly sortColumns?: boolean
  readonly reversed?: boolean
  readonly cacheBlocks?: boolean
}
interface OpenWithScanArguments extends WithAttributes {
  readonly tableName?: Buffer
  readonly scan?: TScan
}
interface IdArguments {
  readonly id: number
}

export function thrift1Scanners({ store, limits, memory, leases }: Thrift1Context): ThriftHandlers {
  const open = (
    tableName: Buffer | undefined,
    query: Scan,
    call: Call,
    { caching, sortColumns = false }: Pick<TScan, 'caching' | 'sortColumns'> = {},
  ): number => {
    const table = tableNameFromBytes(tableName)
    const scanner = new DeferredScanner(store, table, query)
    const pages = new ScannerPages(scanner, store.handouts, {
      caching,
      answerBytesMax: limits.responseBytesMax,
      // Only the encoder of the map `columns` can read scattered cells.
      allowScattered: !sortColumns,
      memory,
    })
    return leases.open(pages, { sortColumns }, call, scanner.queryBytes)
  }

  const openRange = (
    { tableName, startRow, stopRow, columns, timestamp, attributes }: OpenArguments,
    call: Call,
  ): number =>
    open(
      tableName,
      scan({
        ...rangeArgument(required(startRow, 'the first row'), stopRow),
        columns: columnsNamed(columns ?? []),
        timeRange: olderThan(timestamp),
        ...readAttributes(attributes),
      }),
      call,
    )
  const openToStop = (args: OpenArguments, call: Call): number =>
    openRange({ ...args, stopRow: required(args.stopRow, 'the row to stop at') }, call)

  const next = scannerReader<Thrift1Scanner>(
    { store, leases },
    { check: (id, _, call) => checkScanner(leases, id, call), page: nextPage, rows: rowsOf },
  )

  return {
    scannerOpen: openRange,
    scannerOpenTs: openRange,
    scannerOpenWithStop: openToStop,
    scannerOpenWithStopTs: openToStop,
    scannerOpenWithPrefix: (
      { tableName, startAndPrefix, columns, attributes }: OpenWithPrefixArguments,
      call,
    ) => {
      const prefix = required(startAndPrefix, 'the prefix')
      const range = rangeArgument(prefix, rowAfterPrefix(prefix))
      const query = { ...range, columns: columnsNamed(columns ?? []), ...readAttributes(attributes) }
      return open(tableName, scan(query), call)
    },
    scannerOpenWithScan: async ({ tableName, scan: stated, attributes }: OpenWithScanArguments, call) => {
      const asked = required(stated, 'the scan')
      await largeFiltersRead(asked)
      return open(tableName, { ...scanOf(asked), ...readAttributes(attributes) }, call, asked)
    },
    scannerGet: ({ id }: IdArguments, call) => next(id, 1, call),
    scannerGetList: ({ id, nbRows }: IdArguments & { readonly nbRows: number }, call) =>
      next(id, nbRows, call),
    scannerClose: async ({ id }: IdArguments, call) => {
      if (!(await leases.close(id, call))) checkScanner(leases, id, call)
    },
  }
}

function nextPage(pages: ScannerPages, _: Thrift1Scanner, count: number, call: Call): Promise<Page> {
  checkPageRows(count)
  return pages.next(count, call)
}

function rowsOf(page: Page, { sortColumns }: Thrift1Scanner, handouts: Handouts): RowResults {
  const { encodedBytes, onRelease } = page
  return new RowResults(page, handouts, { sortColumns, encodedBytes, onRelease })
}

/** Throws IllegalArgument for a scanner that is not open. */
function checkScanner(leases: Thrift1Context['leases'], id: number, call: Call): void {
  if (leases.has(id, call)) return
  const cause = scannerNotOpen(id)
  throw new ThriftException('IllegalArgument', { message: 'scanner ID is invalid' }, { cause })
}

function scanOf(asked: TScan): Scan {
  return scan({
    ...rangeArgument(asked.startRow, asked.stopRow),
    columns: columnsNamed(asked.columns ?? []),
    timeRange: olderThan(asked.timestamp),
    batch: asked.batchSize !== undefined && asked.batchSize > 0 ? asked.batchSize : -1,
    reversed: asked.reversed ?? false,
    cacheBlocks: asked.cacheBlocks ?? true,
    filter: parseFilterArguments(asked),
  })
}
