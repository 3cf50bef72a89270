import { isHBaseError } from '../../model/errors.ts'
import type { Comparator, Comparison, Filter, SingleColumnValue } from '../../model/filter.ts'
import * as pb from '../../wire/rpc/gen/filter_pb.ts'
import { checkFilter } from '../filter-checks.ts'
import { FILTER_DEPTH_MAX, tooDeep } from '../filter-depth.ts'
import { operatorOf } from './compare-type.ts'
import { comparatorOf } from './decode-comparator.ts'
import { leafDecoders } from './decode-leaf.ts'
import { FILTER_PACKAGE } from './encode-comparator.ts'
import { buffer, malformed, readMessage } from './messages.ts'

/** The filter in the bytes of an hbase.pb.Filter. Throws DO_NOT_RETRY. Refers to the bytes. */
export function decodeFilter(bytes: Buffer): Filter {
  return filterOf(readMessage(pb.FilterSchema, bytes))
}

/** HBase: ProtobufUtil.toFilter. Throws DO_NOT_RETRY. */
export function filterOf(message: pb.Filter): Filter {
  return filterAt(message, 1)
}

function filterAt({ name, serializedFilter: bytes }: pb.Filter, depth: number): Filter {
  if (depth > FILTER_DEPTH_MAX) throw tooDeep('DO_NOT_RETRY')
  const kind = name.startsWith(FILTER_PACKAGE) ? name.slice(FILTER_PACKAGE.length) : ''
  switch (kind) {
    case 'FilterList': {
      const { operator, filters } = readMessage(pb.FilterListSchema, bytes)
      return {
        kind,
        operator: operator === pb.FilterList_Operator.MUST_PASS_ALL ? 'MUST_PASS_ALL' : 'MUST_PASS_ONE',
        filters: filters.map((filter) => filterAt(filter, depth + 1)),
      }
    }
    // What the region server puts around a filter; it is in no way different from that one.
    case 'FilterWrapper':
      return filterAt(readMessage(pb.FilterWrapperSchema, bytes).filter!, depth + 1)
    case 'SkipFilter':
    case 'WhileMatchFilter':
      return { kind, filter: filterAt(readMessage(pb.SkipFilterSchema, bytes).filter!, depth + 1) }
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
    case 'DependentColumnFilter':
      return dependentColumn(bytes)
    case 'SingleColumnValueFilter':
      return { kind, ...singleColumnValue(readMessage(pb.SingleColumnValueFilterSchema, bytes)) }
    case 'SingleColumnValueExcludeFilter': {
      const message = readMessage(pb.SingleColumnValueExcludeFilterSchema, bytes)
      return { kind, ...singleColumnValue(message.singleColumnValueFilter!) }
    }
    default: {
      const decode = leafDecoders.get(kind)
      if (decode === undefined) throw malformed(`java.lang.ClassNotFoundException: ${name}`)
      return checked(decode(bytes))
    }
  }
}

/** What the constructors of HBase's filters refuse is no filter either. */
function checked(filter: Filter): Filter {
  try {
    checkFilter(filter)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    throw malformed(`${filter.kind}: ${error.message}`, error)
  }
  return filter
}

type PbComparison = Pick<pb.CompareFilter, 'compareOp' | 'comparator'>

function comparison(message: PbComparison): Comparison {
  const operator = operatorOf(message.compareOp)
  const comparator = optionalComparator(message)
  if (comparator === undefined && operator !== 'NO_OP') throw malformed(`no comparator for ${operator}`)
  // Without an operation no comparator is looked at.
  return { operator, comparator: comparator ?? { kind: 'NullComparator' } }
}

function optionalComparator({ comparator }: PbComparison): Comparator | undefined {
  return comparator === undefined ? undefined : comparatorOf(comparator)
}

function dependentColumn(bytes: Uint8Array): Filter {
  const message = readMessage(pb.DependentColumnFilterSchema, bytes)
  return {
    kind: 'DependentColumnFilter',
    family: buffer(message.columnFamily),
    qualifier: buffer(message.columnQualifier),
    dropDependentColumn: message.dropDependentColumn,
    operator: operatorOf(message.compareFilter!.compareOp),
    comparator: optionalComparator(message.compareFilter!),
  }
}

/** A family or qualifier that is left out is an empty one. */
function singleColumnValue(message: pb.SingleColumnValueFilter): SingleColumnValue {
  return {
    family: buffer(message.columnFamily),
    qualifier: buffer(message.columnQualifier),
    ...comparison(message),
    filterIfMissing: message.filterIfMissing,
    latestVersionOnly: message.latestVersionOnly,
  }
}
