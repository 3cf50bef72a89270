/** Thrift 1's gets. Attributes of reads mean nothing, as in an HBase without visibility labels. */

import { EMPTY } from '../../../../model/bytes.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { type Get, get, type Query } from '../../../../model/query.ts'
import { TimeRange } from '../../../../model/time-range.ts'
import { RowResults, type ThriftHandlers } from '../../thrift-service.ts'
import { getMany } from '../batch-gets.ts'
import { columnsOf } from '../column-argument.ts'
import { tableOf } from '../table-argument.ts'
import type { Thrift1Context } from './open-scanner.ts'

interface RowArguments {
  readonly tableName?: Buffer
  readonly row?: Buffer
}
interface ColumnArguments extends RowArguments {
  readonly column?: Buffer
}
interface RowsArguments {
  readonly tableName?: Buffer
  readonly rows?: readonly Buffer[]
}
interface Columns {
  readonly columns?: readonly Buffer[]
}
interface Timestamp {
  readonly timestamp: bigint
}
interface Versions {
  readonly numVersions: number
}

export function thrift1Reads({ store, limits }: Thrift1Context): ThriftHandlers {
  const getCells = async ({ tableName, row, column }: ColumnArguments, query: Partial<Query>) => {
    const columns = columnsOf([column ?? EMPTY])
    const one = get(row ?? EMPTY, { ...query, columns })
    return new RowResults(await store.get(tableOf(tableName), [one]))
  }
  const getRow = async ({ tableName, row, columns }: RowArguments & Columns, timeRange: TimeRange) => {
    const one = get(row ?? EMPTY, { columns: columnsOf(columns), timeRange })
    return new RowResults(await store.get(tableOf(tableName), [one]))
  }
  const getRows = async ({ tableName, rows, columns }: RowsArguments & Columns, timeRange: TimeRange) => {
    const query = { columns: columnsOf(columns), timeRange }
    const gets = (rows ?? []).map((row): Get => get(row, query))
    return new RowResults(await getMany(store, limits, tableOf(tableName), gets))
  }

  return {
    get: (args: ColumnArguments) => getCells(args, {}),
    getVer: (args: ColumnArguments & Versions) => getCells(args, { maxVersions: versionsOf(args) }),
    getVerTs: (args: ColumnArguments & Versions & Timestamp) =>
      getCells(args, { maxVersions: versionsOf(args), timeRange: before(args) }),
    getRow: (args: RowArguments) => getRow(args, TimeRange.ALL),
    getRowWithColumns: (args: RowArguments & Columns) => getRow(args, TimeRange.ALL),
    getRowTs: (args: RowArguments & Timestamp) => getRow(args, before(args)),
    getRowWithColumnsTs: (args: RowArguments & Columns & Timestamp) => getRow(args, before(args)),
    getRows: (args: RowsArguments) => getRows(args, TimeRange.ALL),
    getRowsWithColumns: (args: RowsArguments & Columns) => getRows(args, TimeRange.ALL),
    getRowsTs: (args: RowsArguments & Timestamp) => getRows(args, before(args)),
    getRowsWithColumnsTs: (args: RowsArguments & Columns & Timestamp) => getRows(args, before(args)),
  }
}

/** Cells older than the timestamp. */
function before({ timestamp }: Timestamp): TimeRange {
  return TimeRange.between(0n, timestamp)
}

function versionsOf({ numVersions }: Versions): number {
  if (numVersions <= 0) throw new HBaseError('IO', 'versions must be positive')
  return numVersions
}
