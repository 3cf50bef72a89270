import { create } from '@bufbuild/protobuf'
import { HBaseError } from '../../model/errors.ts'
import type {
  Comparator,
  Filter,
  FilterOfKind,
  FilterOperator,
  SingleColumnValue,
} from '../../model/filter.ts'
import type { Steps } from '../../model/steps.ts'
import * as pb from '../../wire/rpc/gen/filter_pb.ts'
import { MessageWriter } from '../../wire/rpc/message-writer.ts'
import { FILTER_PACKAGE } from './class-names.ts'
import { compareTypeOf } from './compare-type.ts'
import { comparatorMessage } from './encode-comparator.ts'
import { writeMessage } from './messages.ts'
import { writePlainMessage } from './plain-messages.ts'

/** The bytes of an hbase.pb.Filter. */
export function encodeFilter(filter: Filter): Uint8Array {
  return writeMessage(pb.FilterSchema, filterMessage(filter))
}

/** As encodeFilter. */
export function* encodeFilterInSteps(filter: Filter): Steps<Uint8Array> {
  const writer = new MessageWriter()
  yield* writeFilterInSteps(writer, filter, new Parts())
  return writer.take()
}

/** HBase: ProtobufUtil.toFilter. */
export function filterMessage(filter: Filter): pb.Filter {
  return create(pb.FilterSchema, { name: className(filter), serializedFilter: serialized(filter) })
}

/** A PrefixFilter without a prefix passes no row either; HBase's servers have no FilterAllFilter. */
function className({ kind }: Filter): string {
  return FILTER_PACKAGE + (kind === 'FilterAllFilter' ? 'PrefixFilter' : kind)
}

/** Filters that are written in a step. */
const STEP_FILTERS = 128

class Parts {
  #count = 0

  endsStep(): boolean {
    return ++this.#count % STEP_FILTERS === 0
  }
}

/** Filters within filters are written in place: a list of 100,000 as a message would be made and checked several times. */
function* writeFilterInSteps(writer: MessageWriter, filter: Filter, parts: Parts): Steps<void> {
  if (parts.endsStep()) yield
  writer.string(1, className(filter))
  if (filter.kind === 'FilterList') {
    const start = writer.begin(2)
    writer.uint32(1, pb.FilterList_Operator[filter.operator])
    for (const each of filter.filters) {
      const member = writer.begin(2)
      yield* writeFilterInSteps(writer, each, parts)
      writer.end(member)
    }
    writer.end(start)
  } else if (filter.kind === 'SkipFilter' || filter.kind === 'WhileMatchFilter') {
    const start = writer.begin(2)
    const inner = writer.begin(1)
    yield* writeFilterInSteps(writer, filter.filter, parts)
    writer.end(inner)
    writer.end(start)
  } else {
    const start = writer.begin(2)
    writer.raw(serialized(filter))
    writer.end(start)
  }
}

function serialized(filter: Filter): Uint8Array {
  if (filter.kind === 'FilterList') {
    const { operator, filters } = filter
    return writeMessage(pb.FilterListSchema, {
      operator: pb.FilterList_Operator[operator],
      filters: filters.map(filterMessage),
    })
  }
  if (filter.kind === 'SkipFilter' || filter.kind === 'WhileMatchFilter') {
    // Both have one layout.
    return writeMessage(pb.SkipFilterSchema, { filter: filterMessage(filter.filter) })
  }
  return 'operator' in filter ? serializedComparison(filter) : serializedLeaf(filter)
}

type Comparing = Extract<Filter, { readonly operator: FilterOperator }>
type Node = FilterOfKind<'FilterList' | 'SkipFilter' | 'WhileMatchFilter'>
type Leaf = Exclude<Filter, Comparing | Node>

function serializedComparison(filter: Comparing): Uint8Array {
  switch (filter.kind) {
    case 'FamilyFilter':
    case 'QualifierFilter':
    case 'RowFilter':
    case 'ValueFilter':
      // All four have one layout.
      return writeMessage(pb.RowFilterSchema, { compareFilter: compareFilter(filter) })
    case 'ColumnValueFilter':
      return writeMessage(pb.ColumnValueFilterSchema, {
        family: filter.family,
        qualifier: filter.qualifier,
        compareOp: compareTypeOf(filter.operator),
        comparator: comparatorMessage(filter.comparator),
      })
    case 'DependentColumnFilter':
      return writeMessage(pb.DependentColumnFilterSchema, {
        compareFilter: compareFilter(filter),
        columnFamily: filter.family,
        columnQualifier: filter.qualifier,
        dropDependentColumn: filter.dropDependentColumn,
      })
    case 'SingleColumnValueFilter':
      return writeMessage(pb.SingleColumnValueFilterSchema, singleColumnValue(filter))
    case 'SingleColumnValueExcludeFilter':
      return writeMessage(pb.SingleColumnValueExcludeFilterSchema, {
        singleColumnValueFilter: singleColumnValue(filter),
      })
  }
}

/** The filters without a comparator and without inner filters. */
function serializedLeaf(filter: Leaf): Uint8Array {
  if (filter.kind === 'AccessControlFilter') {
    throw new HBaseError('UNSUPPORTED', 'Serialization not supported. Intended for server-side use only.')
  }
  if (filter.kind === 'ColumnPaginationFilter') {
    const { limit, offset } = filter
    const start = typeof offset === 'number' ? { offset } : { columnOffset: offset }
    return writeMessage(pb.ColumnPaginationFilterSchema, { limit, ...start })
  }
  if (filter.kind === 'FilterAllFilter') return writeMessage(pb.PrefixFilterSchema, {})
  if (filter.kind === 'FuzzyRowFilter') {
    return writeMessage(pb.FuzzyRowFilterSchema, {
      fuzzyKeysData: filter.keys.map(({ row, mask }) => ({ first: row, second: mask })),
      isMaskV2: filter.isMaskV2,
    })
  }
  if (filter.kind === 'MultiRowRangeFilter') {
    return writeMessage(pb.MultiRowRangeFilterSchema, {
      rowRangeList: filter.ranges.map((range) => ({
        startRow: range.startRow,
        startRowInclusive: range.includeStartRow,
        stopRow: range.stopRow,
        stopRowInclusive: range.includeStopRow,
      })),
    })
  }
  return writePlainMessage(filter)
}

function compareFilter(filter: {
  operator: FilterOperator
  comparator: Comparator | undefined
}): pb.CompareFilter {
  return create(pb.CompareFilterSchema, {
    compareOp: compareTypeOf(filter.operator),
    ...(filter.comparator && { comparator: comparatorMessage(filter.comparator) }),
  })
}

function singleColumnValue(filter: SingleColumnValue): pb.SingleColumnValueFilter {
  return create(pb.SingleColumnValueFilterSchema, {
    columnFamily: filter.family,
    columnQualifier: filter.qualifier,
    compareOp: compareTypeOf(filter.operator),
    comparator: comparatorMessage(filter.comparator),
    filterIfMissing: filter.filterIfMissing,
    latestVersionOnly: filter.latestVersionOnly,
  })
}
