/** Filters as HBase's clients send them to its region servers: the name of the class, and the fields as bytes. */

import { HBaseError, isHBaseError } from '../../model/errors.ts'
import type { Comparator, Comparison, Filter, SingleColumnValue } from '../../model/filter.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import * as pb from '../../wire/rpc/gen/filter_pb.ts'
import { checkInSteps } from '../schema/filter-checks.ts'
import { FILTER_DEPTH_MAX, tooDeep } from '../schema/filter-depth.ts'
import { FilterParts } from '../schema/filter-parts.ts'
import { FILTER_PACKAGE, simpleName } from './class-names.ts'
import { operatorOfCompareType } from './compare-type.ts'
import { comparatorFromMessage, isComparator } from './decode-comparator.ts'
import { leafDecoders } from './decode-leaf.ts'
import { listDecoders } from './decode-list.ts'
import { buffer, readMessage, readMessageInSteps } from './messages.ts'
import {
  deserialized,
  deserializedWith,
  illegalArgument,
  refusalOf,
  refused,
  unreadable,
  wrongClass,
} from './refusal.ts'
import { InvalidMessage } from './wire-check.ts'

/**
 * Reads the bytes of an hbase.pb.Filter; the filter shares them. Throws IO for bytes that are no such message. Throws DO_NOT_RETRY for a
 * filter that HBase's region servers do not know or take, that nests more than FILTER_DEPTH_MAX deep, or that has too many filters in its
 * lists.
 */
export function decodeFilter(bytes: Buffer): Filter {
  return atOnce(filterInSteps(bytes))
}

/** As decodeFilter. */
export function* filterInSteps(bytes: Buffer): Steps<Filter> {
  try {
    return yield* ofMessage(readMessage(pb.FilterSchema, bytes))
  } catch (error) {
    if (error instanceof InvalidMessage) throw new HBaseError('REFUSED', error.message, { cause: error })
    throw error
  }
}

/** Throws DO_NOT_RETRY. HBase: ProtobufUtil.toFilter. */
export function filterFromMessage(message: pb.Filter): Filter {
  return atOnce(ofMessage(message))
}

function* ofMessage(message: pb.Filter): Steps<Filter> {
  try {
    const parts = new FilterParts()
    parts.add()
    return yield* filterAt(message, 1, parts)
  } catch (error) {
    // Too deep. Every other refusal names each enclosing filter; here that would be a hundred names.
    throw isHBaseError(error) && error.code === 'ILLEGAL_ARGUMENT'
      ? illegalArgument(error.message, error)
      : error
  }
}

/** `parts` has counted the filter itself. */
function* filterAt(
  { name, serializedFilter: bytes }: pb.Filter,
  depth: number,
  parts: FilterParts,
): Steps<Filter> {
  if (depth > FILTER_DEPTH_MAX) throw tooDeep()
  const kind = simpleName(name)
  switch (kind) {
    case 'FilterList':
    case 'FilterWrapper':
    case 'SkipFilter':
    case 'WhileMatchFilter':
      try {
        return yield* node(kind, bytes, depth, parts)
      } catch (error) {
        throw refusalOf(error, 'org.apache.hadoop.hbase.DoNotRetryIOException')
      }
    case 'ColumnValueFilter':
    case 'DependentColumnFilter':
    case 'FamilyFilter':
    case 'QualifierFilter':
    case 'RowFilter':
    case 'SingleColumnValueExcludeFilter':
    case 'SingleColumnValueFilter':
    case 'ValueFilter':
      return deserializedWith('java.io.IOException', () => comparing(kind, bytes))
    default:
      return yield* leaf(name, kind, bytes, parts)
  }
}

type NodeName = 'FilterList' | 'FilterWrapper' | 'SkipFilter' | 'WhileMatchFilter'

/** Members of a list that are read in a step. */
const STEP_MEMBERS = 16

function* node(kind: NodeName, bytes: Uint8Array, depth: number, parts: FilterParts): Steps<Filter> {
  if (kind === 'FilterList') {
    const message = yield* readMessageInSteps(pb.FilterListSchema, bytes, parts)
    const { MUST_PASS_ALL } = pb.FilterList_Operator
    const operator = message.operator === MUST_PASS_ALL ? 'MUST_PASS_ALL' : 'MUST_PASS_ONE'
    const filters: Filter[] = []
    for (const filter of message.filters) {
      filters.push(yield* filterAt(filter, depth + 1, parts))
      if (filters.length % STEP_MEMBERS === 0) yield
    }
    return { kind, operator, filters }
  }
  parts.add()
  const filter = yield* filterAt(readMessage(pb.SkipFilterSchema, bytes).filter!, depth + 1, parts)
  // A FilterWrapper changes nothing about the filter in it.
  return kind === 'FilterWrapper' ? filter : { kind, filter }
}

type ComparingName =
  | 'ColumnValueFilter'
  | 'DependentColumnFilter'
  | 'FamilyFilter'
  | 'QualifierFilter'
  | 'RowFilter'
  | 'SingleColumnValueExcludeFilter'
  | 'SingleColumnValueFilter'
  | 'ValueFilter'

function comparing(kind: ComparingName, bytes: Uint8Array): Filter {
  switch (kind) {
    case 'FamilyFilter':
    case 'QualifierFilter':
    case 'RowFilter':
    case 'ValueFilter':
      return { kind, ...comparison(readMessage(pb.RowFilterSchema, bytes).compareFilter!) } as Filter
    case 'ColumnValueFilter': {
      const message = readMessage(pb.ColumnValueFilterSchema, bytes)
      const { family, qualifier } = message
      return { kind, family: buffer(family), qualifier: buffer(qualifier), ...comparison(message) }
    }
    case 'DependentColumnFilter': {
      const message = readMessage(pb.DependentColumnFilterSchema, bytes)
      return {
        kind,
        family: buffer(message.columnFamily),
        qualifier: buffer(message.columnQualifier),
        dropDependentColumn: message.dropDependentColumn,
        operator: operatorOfCompareType(message.compareFilter!.compareOp),
        comparator: optionalComparator(message.compareFilter!),
      }
    }
    case 'SingleColumnValueFilter':
      return { kind, ...singleColumnValue(readMessage(pb.SingleColumnValueFilterSchema, bytes)) }
    case 'SingleColumnValueExcludeFilter': {
      const message = readMessage(pb.SingleColumnValueExcludeFilterSchema, bytes)
      return { kind, ...singleColumnValue(message.singleColumnValueFilter!) }
    }
  }
}

type PbComparison = Pick<pb.CompareFilter, 'compareOp' | 'comparator'>

function comparison(message: PbComparison): Comparison {
  const operator = operatorOfCompareType(message.compareOp)
  const comparator = optionalComparator(message)
  if (comparator !== undefined) return { operator, comparator }
  // HBase accepts the comparison, and its scans then fail at a null pointer.
  if (operator !== 'NO_OP') throw refused('java.lang.NullPointerException: a comparison without a comparator')
  return { operator, comparator: { kind: 'NullComparator' } }
}

function optionalComparator({ comparator }: PbComparison): Comparator | undefined {
  return comparator === undefined ? undefined : comparatorFromMessage(comparator)
}

/** A missing family or qualifier is an empty one. */
function singleColumnValue(message: pb.SingleColumnValueFilter): SingleColumnValue {
  return {
    family: buffer(message.columnFamily),
    qualifier: buffer(message.columnQualifier),
    ...comparison(message),
    filterIfMissing: message.filterIfMissing,
    latestVersionOnly: message.latestVersionOnly,
  }
}

function* leaf(name: string, kind: string, bytes: Uint8Array, parts: FilterParts): Steps<Filter> {
  const filter = yield* unchecked(name, kind, bytes, parts)
  try {
    yield* checkInSteps(filter)
  } catch (error) {
    throw isHBaseError(error) ? illegalArgument(error.message, error) : error
  }
  return filter
}

function* unchecked(name: string, kind: string, bytes: Uint8Array, parts: FilterParts): Steps<Filter> {
  const decode = leafDecoders.get(kind)
  if (decode !== undefined) return deserialized(() => decode(bytes))
  const decodeList = listDecoders.get(kind)
  if (decodeList === undefined)
    throw isComparator(name) ? wrongClass(name, `${FILTER_PACKAGE}Filter`) : noFilter(name)
  try {
    return yield* decodeList(bytes, parts)
  } catch (error) {
    throw unreadable(error)
  }
}

/** HBase finds the base classes of its filters by name but cannot read them; for any other name it finds no class. */
function noFilter(name: string): HBaseError {
  const deserialization = 'org.apache.hadoop.hbase.exceptions.DeserializationException'
  switch (simpleName(name)) {
    case 'Filter':
      return refused(
        `${deserialization}: parseFrom called on base Filter, but should be called on derived type`,
      )
    case 'CompareFilter':
    case 'FilterBase':
      return refused('java.lang.reflect.InvocationTargetException')
    default:
      return refused(`java.lang.ClassNotFoundException: ${name}`)
  }
}
