/** Reads of Thrift 2 as the calls of native RPC that ask the same: what holds for the store is asked at both doors. */

import { fromBinary } from '@bufbuild/protobuf'
import { parseFilterString } from '../../../src/filter/language/parse-filter-string.ts'
import { encodeFilter } from '../../../src/filter/protobuf/encode-filter.ts'
import { type Filter as FilterMessage, FilterSchema } from '../../../src/wire/rpc/gen/filter_pb.ts'
import type {
  Case,
  Request,
  RpcFields,
  RpcRequest,
  RpcValue,
  Scenario,
  ThriftRequest,
} from '../runner/case.ts'
import { get, scanAll } from './rpc-requests.ts'

type Fields = ThriftRequest['args']

/** The scenario's cases that read, one of `every`, over native RPC; writes between the reads stay as they are. */
export function rpcTwin(scenario: Scenario, area: string, every = 1): Scenario {
  const cases = scenario.cases.flatMap(({ id, requests }): Case[] => {
    const twins = requests.map(twinOf)
    if (twins.every((twin) => twin === undefined)) return []
    return [
      { id: id.replace(/^[a-z]+-/, `rpc-${area}-`), requests: twins.map((twin, i) => twin ?? requests[i]!) },
    ]
  })
  return { ...scenario, name: `rpc-${scenario.name}`, cases: cases.filter((_, i) => i % every === 0) }
}

/** Undefined for requests that are no reads, and for those that Thrift refuses before it asks the store. */
function twinOf(request: Request): RpcRequest | undefined {
  if (request.door !== 'thrift2') return undefined
  const { method, args } = request
  const table = Buffer.isBuffer(args['table']) ? args['table'].toString('latin1') : ''
  try {
    if (method === 'get') return getTwin(table, args['tget'] as Fields)
    if (method === 'getScannerResults')
      return scanTwin(table, args['tscan'] as Fields, Number(args['numRows']))
  } catch {
    return undefined
  }
  return undefined
}

function getTwin(table: string, tget: Fields): RpcRequest | undefined {
  const { row, columns, timestamp, timeRange, maxVersions, filterString, filterBytes, ...others } = tget
  const { cacheBlocks, storeLimit, storeOffset, attributes, authorizations } = others
  if (!Buffer.isBuffer(row) || row.length === 0 || attributes !== undefined || authorizations !== undefined)
    return undefined
  return get(table, row.toString('latin1'), {
    column: columnsOf(columns),
    maxVersions: versions(maxVersions),
    timeRange: timestamp === undefined ? rangeOf(timeRange) : instant(timestamp as bigint),
    filter: filterOf(filterString, filterBytes),
    cacheBlocks: cacheBlocks as RpcValue,
    storeLimit: storeLimit as RpcValue,
    storeOffset: storeOffset as RpcValue,
  })
}

function scanTwin(table: string, tscan: Fields, numRows: number): RpcRequest | undefined {
  const { startRow, stopRow, columns, maxVersions, timeRange, filterString, filterBytes, ...others } = tscan
  const {
    batchSize,
    limit,
    reversed,
    cacheBlocks,
    attributes,
    authorizations,
    colFamTimeRangeMap,
    readType,
  } = others
  if (attributes !== undefined || authorizations !== undefined || numRows <= 0) return undefined
  const isLimited = typeof limit === 'number' && limit > 0
  const twin = scanAll(
    table,
    {
      column: columnsOf(columns),
      startRow: startRow as RpcValue,
      stopRow: stopRow as RpcValue,
      filter: filterOf(filterString, filterBytes),
      timeRange: rangeOf(timeRange),
      maxVersions: versions(maxVersions),
      cacheBlocks: cacheBlocks as RpcValue,
      batchSize: typeof batchSize === 'number' && batchSize > 0 ? batchSize : undefined,
      reversed: reversed as RpcValue,
      cfTimeRange: familyRanges(colFamTimeRangeMap),
      readType: readType as RpcValue,
      storeLimit: others['storeLimit'] as RpcValue,
      storeOffset: others['storeOffset'] as RpcValue,
    },
    numRows,
  )
  return isLimited ? { ...twin, message: { ...twin.message, limitOfRows: limit } } : twin
}

function versions(maxVersions: unknown): number | undefined {
  return typeof maxVersions === 'number' && maxVersions > 0 ? maxVersions : undefined
}

function columnsOf(columns: unknown): RpcFields[] | undefined {
  if (columns === undefined) return undefined
  const families = new Map<string, Buffer[] | undefined>()
  for (const { family, qualifier, timestamp } of columns as readonly Fields[]) {
    if (!Buffer.isBuffer(family) || timestamp !== undefined) throw new Error('no column of native RPC')
    const name = family.toString('latin1')
    const known = families.get(name)
    // As in Java: a whole family takes away what was asked of it before, and a column asks for no whole family.
    families.set(name, qualifier === undefined ? undefined : [...(known ?? []), qualifier as Buffer])
  }
  return [...families].map(([family, qualifier]) => ({ family: Buffer.from(family, 'latin1'), qualifier }))
}

function rangeOf(range: unknown): RpcFields | undefined {
  if (range === undefined) return undefined
  const { minStamp, maxStamp } = range as Fields
  return { from: stamp(minStamp), to: stamp(maxStamp) }
}

function instant(timestamp: bigint): RpcFields {
  return { from: stamp(timestamp), to: stamp(timestamp + 1n) }
}

/** Throws for times that the fields, unsigned numbers, cannot hold. */
function stamp(value: unknown): bigint {
  if (typeof value !== 'bigint' || value < 0n || value > 0x7fff_ffff_ffff_ffffn) throw new Error('no time')
  return value
}

function familyRanges(map: unknown): RpcFields[] | undefined {
  if (map === undefined) return undefined
  return [...(map as ReadonlyMap<Buffer, unknown>)].map(([columnFamily, range]) => ({
    columnFamily,
    timeRange: rangeOf(range),
  }))
}

/** Throws for a text that is no filter. */
function filterOf(filterString: unknown, filterBytes: unknown): RpcFields | undefined {
  if (filterBytes !== undefined) return filterFields(fromBinary(FilterSchema, filterBytes as Buffer))
  if (filterString === undefined) return undefined
  const given = Buffer.isBuffer(filterString) ? filterString : Buffer.from(filterString as string)
  return filterFields(fromBinary(FilterSchema, encodeFilter(parseFilterString(given))))
}

function filterFields({ name, serializedFilter }: FilterMessage): RpcFields {
  return { name, serializedFilter: Buffer.from(serializedFilter) }
}
