/** Thrift 1's gets. */

import { columnsNamed } from '../../../../model/column-name.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { eachInTurns } from '../../../../model/many-a-turn.ts'
import { type Get, get, type Query } from '../../../../model/query.ts'
import { TimeRange } from '../../../../model/time-range.ts'
import type { Call } from '../../../../store/call.ts'
import type { ThriftHandlers } from '../../contract/thrift-service.ts'
import { getMany } from '../batch-gets.ts'
import { getAnswer, getsAnswer } from '../get-answer.ts'
import { type AttributeMap, checkBatchSize } from '../mutation-arguments.ts'
import { readAttributes, type WithAttributes } from '../query-attributes.ts'
import { required } from '../required.ts'
import { tableNameFromBytes } from '../table-argument.ts'
import { olderThan } from './older-than.ts'
import type { Thrift1Context } from './thrift1-context.ts'

interface RowArguments extends WithAttributes {
  readonly tableName?: Buffer
  readonly row?: Buffer
}
interface ColumnArguments extends RowArguments {
  readonly column?: Buffer
}
interface RowsArguments extends WithAttributes {
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

/** Names the fields one by one: V8 looked up those of a spread anew in each call, which took a third of a get. */
function asked(
  columns: Query['columns'],
  attributes: AttributeMap | undefined,
  timeRange: TimeRange = TimeRange.ALL,
  maxVersions = 1,
): Partial<Query & Pick<Get, 'raw'>> {
  const read = readAttributes(attributes)
  return { columns, timeRange, maxVersions, attributes: read.attributes, raw: read.raw ?? false }
}

export function thrift1Reads(context: Thrift1Context): ThriftHandlers {
  const getOne = (tableName: Buffer | undefined, one: Get, call: Call) =>
    getAnswer(context, tableNameFromBytes(tableName), one, call)

  const getCells = (
    { tableName, row, column, attributes }: ColumnArguments,
    query: Pick<Partial<Query>, 'timeRange' | 'maxVersions'>,
    call: Call,
  ) => {
    const columns = columnsNamed([required(column, 'the column')])
    const { timeRange, maxVersions } = query
    return getOne(
      tableName,
      get(required(row, 'the row'), asked(columns, attributes, timeRange, maxVersions)),
      call,
    )
  }
  const getRow = (
    { tableName, row, columns, attributes }: RowArguments & Columns,
    timeRange: TimeRange,
    call: Call,
  ) => {
    const query = asked(columnsNamed(columns ?? []), attributes, timeRange)
    return getOne(tableName, get(required(row, 'the row'), query), call)
  }
  const getRows = async (
    { tableName, rows, columns = [], attributes }: RowsArguments & Columns,
    timestamp: bigint | undefined,
    call: Call,
  ) => {
    const wanted = required(rows, 'the list of rows')
    // QUIRK thrift1-row-get-rows-ts-no-rows-at-minus-1: without a row HBase does not look at the timestamp.
    const timeRange = wanted.length === 0 ? TimeRange.ALL : olderThan(timestamp)
    const query = asked(columnsNamed(columns), attributes, timeRange)
    checkBatchSize(wanted.length, context.limits.batchMax)
    const gets: Get[] = []
    await eachInTurns(wanted, (row) => gets.push(get(row, query)))
    return getsAnswer(context, await getMany(context, tableNameFromBytes(tableName), gets, call))
  }

  return {
    get: (args: ColumnArguments, call) => getCells(args, {}, call),
    getVer: (args: ColumnArguments & Versions, call) =>
      getCells(args, { maxVersions: checkedVersions(args) }, call),
    getVerTs: (args: ColumnArguments & Versions & Timestamp, call) =>
      getCells(args, { maxVersions: checkedVersions(args), timeRange: olderThan(args.timestamp) }, call),
    getRow: (args: RowArguments, call) => getRow(args, TimeRange.ALL, call),
    getRowWithColumns: (args: RowArguments & Columns, call) => getRow(args, TimeRange.ALL, call),
    getRowTs: (args: RowArguments & Timestamp, call) => getRow(args, olderThan(args.timestamp), call),
    getRowWithColumnsTs: (args: RowArguments & Columns & Timestamp, call) =>
      getRow(args, olderThan(args.timestamp), call),
    getRows: (args: RowsArguments, call) => getRows(args, undefined, call),
    getRowsWithColumns: (args: RowsArguments & Columns, call) => getRows(args, undefined, call),
    getRowsTs: (args: RowsArguments & Timestamp, call) => getRows(args, args.timestamp, call),
    getRowsWithColumnsTs: (args: RowsArguments & Columns & Timestamp, call) =>
      getRows(args, args.timestamp, call),
  }
}

/** QUIRK thrift1-get-get-ver-v-f-a-versions-0: HBase answers an IOError, not an IllegalArgument. */
function checkedVersions({ numVersions }: Versions): number {
  if (numVersions <= 0) throw new HBaseError('REFUSED', 'versions must be positive')
  return numVersions
}
