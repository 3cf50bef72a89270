/** Thrift 2's gets and scans as queries. HBase: thrift2.ThriftUtilities.getFromThrift, scanFromThrift. */

import { HBaseError } from '../../../../model/errors.ts'
import {
  type Columns,
  ColumnsBuilder,
  type Get,
  get,
  type ReadType,
  type Scan,
  scan,
} from '../../../../model/query.ts'
import { TimeRange } from '../../../../model/time-range.ts'
import { authorizationsMessage } from '../../../../wire/rpc/label-messages.ts'
import { parseFilterArguments } from '../filter-argument.ts'
import { readAttributes } from '../query-attributes.ts'
import { required } from '../required.ts'
import { rangeArgument } from '../row-argument.ts'
import type { TColumn, TGet, TScan, TTimeRange } from './structs.ts'

/**
 * The get of a TGet. Throws ILLEGAL_ARGUMENT.
 * QUIRK thrift2-get-field-get-r-versions-0: HBase answers an IOException for a get of no versions.
 */
export function getFromTGet(asked: TGet): Get {
  if (asked.maxVersions !== undefined && asked.maxVersions <= 0) {
    throw new HBaseError('REFUSED', 'versions must be positive')
  }
  // Names the fields one by one, for speed: see Thrift 1's reads.
  const { attributes, raw = false } = attributesOf(asked)
  return get(asked.row, {
    attributes,
    raw,
    columns: columnsFromTColumns(asked.columns),
    timeRange: statedTimeRange(asked),
    maxVersions: asked.maxVersions ?? 1,
    familyLimit: Math.max(-1, asked.storeLimit ?? -1),
    familyOffset: Math.max(0, asked.storeOffset ?? 0),
    cacheBlocks: asked.cacheBlocks ?? true,
    filter: parseFilterArguments(asked),
    replica: replicaOf(asked),
  })
}

/** TConsistency. PERSISTED: never renumber. */
const TIMELINE = 2

/**
 * The copy that answers a get. A get that must be up to date is answered by the region itself, even where the client names a copy.
 * QUIRK rpc-replicas-door-get-replicas-a-target-replica-id-1: HBase's client looks at the copy only under TIMELINE.
 */
function replicaOf({ consistency, targetReplicaId = -1 }: TGet): number | 'any' | undefined {
  if (consistency !== TIMELINE) return undefined
  return targetReplicaId >= 0 ? targetReplicaId : 'any'
}

/**
 * The get of a TGet, whose answer must have cells. Throws as getFromTGet does. Throws ILLEGAL_ARGUMENT for a get that only asks for existence: a
 * TResult has no field for that, and HBase's gateway fails on such a get.
 */
export function readingGet(asked: TGet): Get {
  if (asked.existence_only === true) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      'existence_only is answered by exists and existsAll, not by a get',
    )
  }
  return getFromTGet(asked)
}

/** A get that finds a cell if the TGet does. It reads one cell of each family, unless a filter may need them all. */
export function existenceGet(asked: TGet): Get {
  const wanted = getFromTGet(asked)
  const isWhole = wanted.familyLimit < 0 && wanted.filter === undefined
  return isWhole ? { ...wanted, familyLimit: 1 } : wanted
}

/** TReadType, by number. PERSISTED: never renumber. */
const READ_TYPES: readonly (ReadType | undefined)[] = [undefined, undefined, 'stream', 'pread']

export function scanFromTScan(asked: TScan): Scan {
  const isOfNoVersions = asked.maxVersions <= 0
  // QUIRK thrift2-scan-field-versions-0: HBase allows a scan of no versions, which finds nothing ...
  // QUIRK thrift2-argument-get-scanner-results-tscan-max-versions-0: ... but one version of each column that it names.
  const wanted = isOfNoVersions
    ? asked.columns?.filter(({ qualifier }) => qualifier !== undefined)
    : asked.columns
  const isOfNothing = isOfNoVersions && (wanted ?? []).length === 0
  const query: Partial<Scan> = {
    ...rangeArgument(asked.startRow, asked.stopRow),
    ...attributesOf(asked),
    columns: columnsFromTColumns(wanted),
    timeRange: isOfNothing ? NO_TIME : statedTimeRange(asked),
    maxVersions: Math.max(1, asked.maxVersions),
    batch: asked.batchSize !== undefined && asked.batchSize > 0 ? asked.batchSize : -1,
    reversed: asked.reversed ?? false,
    cacheBlocks: asked.cacheBlocks ?? true,
    limit: scanLimit(asked),
    replica: (asked.targetReplicaId ?? 0) > 0 ? asked.targetReplicaId : undefined,
    mayBeStale: asked.consistency === TIMELINE,
    readType: READ_TYPES[asked.readType ?? 1],
    filter: parseFilterArguments(asked),
  }
  const ranges = asked.colFamTimeRangeMap ?? []
  if (ranges.length === 0 || isOfNothing) return scan(query)
  return scan({
    ...query,
    familyTimeRanges: new Map(
      ranges.map(([family, { minStamp, maxStamp }]) => [
        family.toString('latin1'),
        TimeRange.between(minStamp, maxStamp),
      ]),
    ),
  })
}

/** The attributes of a read. Throws ILLEGAL_ARGUMENT as readAttributes does, and where authorizations have no list of labels. */
function attributesOf({ attributes, authorizations }: TGet | TScan): Pick<Get, 'attributes' | 'raw'> {
  if (authorizations === undefined) return readAttributes(attributes)
  const labels = required(authorizations.labels, 'the labels of the authorizations')
  return readAttributes(attributes, authorizationsMessage(labels))
}

/** Most rows of a scan, -1 for no limit. With a limit of 0, HBase ends the scan after the first fetch, which has `caching` rows where the client states that. */
function scanLimit({ limit, caching }: TScan): number {
  if (limit === undefined || limit < 0) return -1
  if (limit > 0) return limit
  return caching !== undefined && caching > 0 ? caching : -1
}

const NO_TIME = TimeRange.between(0n, 0n)

function columnsFromTColumns(columns: readonly TColumn[] | undefined): Columns {
  const builder = new ColumnsBuilder()
  for (const { family, qualifier } of columns ?? []) {
    if (qualifier === undefined) builder.addFamily(family)
    else builder.addColumn(family, qualifier)
  }
  return builder.build()
}

/**
 * QUIRK thrift2-get-field-exists-r-at-3-time-since-1-before-2: HBase obeys a timestamp, not the range beside it.
 * QUIRK thrift2-get-field-get-r-f-a-at-max-versions-9: HBase refuses the timestamp Long.MAX_VALUE.
 */
function statedTimeRange(asked: { readonly timestamp?: bigint; readonly timeRange?: TTimeRange }): TimeRange {
  const { timestamp, timeRange } = asked
  if (timestamp !== undefined) return TimeRange.between(timestamp, BigInt.asIntN(64, timestamp + 1n))
  return timeRange === undefined ? TimeRange.ALL : TimeRange.between(timeRange.minStamp, timeRange.maxStamp)
}
