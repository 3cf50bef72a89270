import { create } from '@bufbuild/protobuf'
import type { Comparator } from '../../model/filter.ts'
import * as pb from '../../wire/rpc/gen/comparator_pb.ts'
import { FILTER_PACKAGE } from './class-names.ts'
import { writeMessage } from './messages.ts'

/** HBase: ProtobufUtil.toComparator. */
export function comparatorMessage(comparator: Comparator): pb.Comparator {
  return create(pb.ComparatorSchema, {
    name: FILTER_PACKAGE + comparator.kind,
    serializedComparator: serialized(comparator),
  })
}

function serialized(comparator: Comparator): Uint8Array {
  switch (comparator.kind) {
    case 'BinaryComparator':
    case 'BinaryPrefixComparator':
    case 'LongComparator':
    case 'BigDecimalComparator':
      // All four have one layout.
      return writeMessage(pb.BinaryComparatorSchema, { comparable: { value: comparator.value } })
    case 'BinaryComponentComparator':
      return writeMessage(pb.BinaryComponentComparatorSchema, {
        value: comparator.value,
        offset: comparator.offset >>> 0,
      })
    case 'BitComparator':
      return writeMessage(pb.BitComparatorSchema, {
        comparable: { value: comparator.value },
        bitwiseOp: pb.BitComparator_BitwiseOp[comparator.operator],
      })
    case 'NullComparator':
      return writeMessage(pb.NullComparatorSchema, {})
    case 'RegexStringComparator':
      return writeMessage(pb.RegexStringComparatorSchema, {
        pattern: comparator.pattern,
        patternFlags: comparator.flags,
        charset: comparator.charset,
        engine: comparator.engine,
      })
    case 'SubstringComparator':
      return writeMessage(pb.SubstringComparatorSchema, { substr: comparator.substring })
  }
}
