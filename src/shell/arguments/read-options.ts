/** The options of `get` and `scan` as queries of the seam. */

import { parseFilterString } from '../../filter/language/parse-filter-string.ts'
import { EMPTY, rowAfterPrefix } from '../../model/bytes.ts'
import type { Filter } from '../../model/filter.ts'
import { type Get, get, type Query, type ReadType, type Scan, scan } from '../../model/query.ts'
import { TimeRange } from '../../model/time-range.ts'
import { authorizationsMessage, VISIBILITY_ATTRIBUTE } from '../../wire/rpc/label-messages.ts'
import { Converters } from '../output/columns.ts'
import { refuse } from '../output/shell-error.ts'
import { bytesOf, className, inspect, isTrue, RubyHash, textOf, type Value } from '../ruby/values.ts'
import { int32Of, int64Of } from './argument-values.ts'

/** A query, and the options for its answer. */
export interface Reading<Q> {
  readonly query: Q
  readonly converters: Converters
  /** The most characters of a cell's text; -1: no limit. */
  readonly lengthMax: number
  readonly allowPartial: boolean
}

/** Options that no request of the seam carries. They change the answer, so that ignoring them would be wrong. */
const NOT_SENT = ['REGION_REPLICA_ID', 'ALL_METRICS', 'METRICS', 'FORMATTER_CLASS']

/** Throws for an option of NOT_SENT that differs from its default. */
function checkSent(options: RubyHash): void {
  const usual: Readonly<Record<string, string>> = {
    FORMATTER_CLASS: 'org.apache.hadoop.hbase.util.Bytes',
    ALL_METRICS: 'false',
    REGION_REPLICA_ID: '0',
  }
  for (const name of NOT_SENT) {
    const value = options.get(name)
    if (value === undefined || value === null || usual[name] === textOf(value)) continue
    refuse(`${name} is not known to this shell`)
  }
  if (isTrue(options.get('CONSISTENCY')) && textOf(options.get('CONSISTENCY')!) !== 'STRONG')
    refuse('CONSISTENCY must be STRONG: this shell reads no replicas')
}

/** The options of `get`. `args`: the arguments after the row, a hash or columns. */
export function getOptions(row: Value, args: readonly Value[]): Reading<Get> {
  const [first] = args
  const options = first instanceof RubyHash ? first.copy() : undefined
  if (options === undefined) {
    const converters = new Converters()
    const columns = converters.columns(flatColumns(args))
    return { query: get(bytesOf(row), { columns }), converters, lengthMax: -1, allowPartial: false }
  }
  checkSent(options)
  const lengthMax = lengthOf(options.take('MAXLENGTH'))
  const filter = filterOf(options.take('FILTER'))
  options.take('CONSISTENCY')
  options.take('REGION_REPLICA_ID')
  options.take('FORMATTER_CLASS')
  const attributes = attributesOf(options.take('AUTHORIZATIONS'))
  const converters = new Converters(converterOf(options.take('FORMATTER')))
  const named = options.get('COLUMN') ?? options.get('COLUMNS')
  const range = timeRangeOf(options)
  if (options.size > 0 && !isTrue(named) && range === undefined && !isTrue(options.get('ATTRIBUTES')))
    refuse(`Failed parse of ${inspect(options)}, ${className(options)}`)
  const query = {
    columns: converters.columns(isTrue(named) ? columnList(named!, options) : []),
    maxVersions: versionsOf(options.get('VERSIONS')),
    timeRange: range ?? TimeRange.ALL,
    filter,
    attributes,
  }
  return { query: get(bytesOf(row), query), converters, lengthMax, allowPartial: false }
}

export function scanOptions(stated: RubyHash): Reading<Scan> {
  const options = stated.copy()
  checkSent(options)
  const converters = new Converters(converterOf(options.get('FORMATTER')))
  const named = options.get('COLUMNS') ?? options.get('COLUMN') ?? null
  const prefix = options.get('ROWPREFIXFILTER')
  const query: Partial<Scan> = {
    columns: converters.columns(isTrue(named) ? columnList(named, undefined) : []),
    startRow: isTrue(prefix) ? bytesOf(prefix!) : bytesOf(options.get('STARTROW') ?? null),
    stopRow: isTrue(prefix) ? rowAfterPrefix(bytesOf(prefix!)) : bytesOf(options.get('STOPROW') ?? null),
    timeRange: timeRangeOf(options) ?? TimeRange.ALL,
    maxVersions: versionsOf(options.get('VERSIONS')),
    filter: filterOf(options.get('FILTER')),
    raw: isTrue(options.get('RAW')),
    reversed: isTrue(options.get('REVERSED')),
    cacheBlocks: options.get('CACHE_BLOCKS') !== false,
    limit: positiveOf(options.get('LIMIT'), 'LIMIT'),
    batch: positiveOf(options.get('BATCH'), 'BATCH'),
    attributes: attributesOf(options.get('AUTHORIZATIONS')),
    readType: readTypeOf(options.get('READ_TYPE')),
  }
  return {
    query: scan(query),
    converters,
    lengthMax: lengthOf(options.get('MAXLENGTH')),
    allowPartial: isTrue(options.get('ALLOW_PARTIAL_RESULTS')),
  }
}

/** The scan of `count`, with a filter that passes only the first cell of each row. HBase: Table._count_internal. */
export function countOptions(stated: RubyHash): Scan {
  const { query } = scanOptions(stated)
  const first: Filter = { kind: 'FirstKeyOnlyFilter' }
  const filter: Filter =
    query.filter === undefined
      ? first
      : { kind: 'FilterList', operator: 'MUST_PASS_ALL', filters: [query.filter, first] }
  return { ...query, filter }
}

export function prefixScan(prefix: Buffer): Scan {
  return scan({ startRow: prefix, stopRow: prefix.length === 0 ? EMPTY : rowAfterPrefix(prefix) })
}

/** The attribute with the visibility labels of a read. */
function attributesOf(value: Value | undefined): Query['attributes'] {
  if (!isTrue(value)) return undefined
  const labels = [value!].flat().filter((label) => label !== null)
  if (labels.length === 0) refuse('Authorizations cannot be an empty list')
  return new Map([[VISIBILITY_ATTRIBUTE, authorizationsMessage(labels.map((label) => textOf(label)))]])
}

function flatColumns(args: readonly Value[]): Value[] {
  return args.flat().filter((value) => value !== null)
}

function columnList(value: Value, options: RubyHash | undefined): readonly Value[] {
  if (Buffer.isBuffer(value)) return [value]
  if (Array.isArray(value)) return value
  if (options === undefined) refuse('COLUMNS must be specified as a String or an Array')
  refuse(`Failed parse column argument type ${inspect(options)}, Hash`)
}

function converterOf(value: Value | undefined): string | undefined {
  return isTrue(value) ? textOf(value!) : undefined
}

function filterOf(value: Value | undefined): Query['filter'] {
  if (!isTrue(value)) return undefined
  if (!Buffer.isBuffer(value)) refuse('FILTER must be a String in the language of filters')
  return parseFilterString(value)
}

/** HBase: Scan.ReadType.valueOf. */
function readTypeOf(value: Value | undefined): ReadType | undefined {
  if (!isTrue(value)) return undefined
  const name = textOf(value!)
  if (name === 'DEFAULT') return undefined
  if (name === 'STREAM') return 'stream'
  if (name === 'PREAD') return 'pread'
  refuse(
    `No enum constant org.apache.hadoop.hbase.client.Scan.ReadType.${name}: READ_TYPE is 'DEFAULT', 'STREAM' or 'PREAD'`,
  )
}

function versionsOf(value: Value | undefined): number {
  return isTrue(value) ? int32Of(value!, 'VERSIONS') : 1
}

function lengthOf(value: Value | undefined): number {
  return isTrue(value) ? int32Of(value!, 'MAXLENGTH') : -1
}

function positiveOf(value: Value | undefined, name: string): number {
  const number = isTrue(value) ? int32Of(value!, name) : -1
  return number > 0 ? number : -1
}

function timeRangeOf(options: RubyHash): TimeRange | undefined {
  const range = options.get('TIMERANGE')
  if (isTrue(range)) {
    if (!Array.isArray(range) || range.length < 2) refuse('TIMERANGE must be an Array of two timestamps')
    return TimeRange.between(int64Of(range[0]!, 'TIMERANGE'), int64Of(range[1]!, 'TIMERANGE'))
  }
  const at = options.get('TIMESTAMP')
  return isTrue(at) ? TimeRange.at(int64Of(at!, 'TIMESTAMP')) : undefined
}
