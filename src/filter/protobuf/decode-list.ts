import { compareBytes } from '../../model/bytes.ts'
import type { Filter, FuzzyKey, RowRange } from '../../model/filter.ts'
import { mapInSteps, type Steps, sortInSteps } from '../../model/steps.ts'
import * as pb from '../../wire/rpc/gen/filter_pb.ts'
import { distinctTimestamps } from '../schema/distinct-timestamps.ts'
import type { FilterParts } from '../schema/filter-parts.ts'
import { buffer, readMessageInSteps } from './messages.ts'

/** The filters that have a list of keys, ranges or times, by the name of their class. */
export const listDecoders: ReadonlyMap<string, (bytes: Uint8Array, parts: FilterParts) => Steps<Filter>> =
  new Map<string, (bytes: Uint8Array, parts: FilterParts) => Steps<Filter>>([
    ['FirstKeyValueMatchingQualifiersFilter', firstKeyValueMatchingQualifiers],
    ['FuzzyRowFilter', fuzzyRow],
    ['MultiRowRangeFilter', multiRowRange],
    ['MultipleColumnPrefixFilter', multipleColumnPrefix],
    ['TimestampsFilter', timestamps],
  ])

function* firstKeyValueMatchingQualifiers(bytes: Uint8Array, parts: FilterParts): Steps<Filter> {
  const { qualifiers } = yield* readMessageInSteps(
    pb.FirstKeyValueMatchingQualifiersFilterSchema,
    bytes,
    parts,
  )
  const sorted = yield* sortInSteps(yield* mapInSteps(qualifiers, buffer), compareBytes)
  const distinct: Buffer[] = []
  yield* mapInSteps(sorted, (word) => {
    if (distinct.at(-1)?.equals(word) !== true) distinct.push(word)
  })
  return { kind: 'FirstKeyValueMatchingQualifiersFilter', qualifiers: distinct }
}

function* fuzzyRow(bytes: Uint8Array, parts: FilterParts): Steps<Filter> {
  const { fuzzyKeysData, isMaskV2 } = yield* readMessageInSteps(pb.FuzzyRowFilterSchema, bytes, parts)
  const keys = yield* mapInSteps(
    fuzzyKeysData,
    ({ first, second }): FuzzyKey => ({ row: buffer(first), mask: buffer(second) }),
  )
  return { kind: 'FuzzyRowFilter', keys, isMaskV2 }
}

function* multiRowRange(bytes: Uint8Array, parts: FilterParts): Steps<Filter> {
  const { rowRangeList } = yield* readMessageInSteps(pb.MultiRowRangeFilterSchema, bytes, parts)
  const ranges = yield* mapInSteps(
    rowRangeList,
    (range): RowRange => ({
      startRow: buffer(range.startRow),
      includeStartRow: range.startRowInclusive,
      stopRow: buffer(range.stopRow),
      includeStopRow: range.stopRowInclusive,
    }),
  )
  return { kind: 'MultiRowRangeFilter', ranges }
}

function* multipleColumnPrefix(bytes: Uint8Array, parts: FilterParts): Steps<Filter> {
  const { sortedPrefixes } = yield* readMessageInSteps(pb.MultipleColumnPrefixFilterSchema, bytes, parts)
  const prefixes = yield* sortInSteps(yield* mapInSteps(sortedPrefixes, buffer), compareBytes)
  return { kind: 'MultipleColumnPrefixFilter', prefixes }
}

function* timestamps(bytes: Uint8Array, parts: FilterParts): Steps<Filter> {
  const { timestamps: stated, canHint } = yield* readMessageInSteps(pb.TimestampsFilterSchema, bytes, parts)
  return { kind: 'TimestampsFilter', timestamps: yield* distinctTimestamps(stated), canHint }
}
