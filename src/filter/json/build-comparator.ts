import { isHBaseError } from '../../model/errors.ts'
import type { Comparator } from '../../model/filter.ts'
import { compileJavaRegex } from '../regex/java-regex.ts'
import { PatternFlag } from '../regex/pattern-flags.ts'
import type { ComparatorSpec } from '../schema/filter-members.ts'
import type { SpecMembers } from './spec-members.ts'

const { Dotall } = PatternFlag

const KINDS = [
  'BinaryComparator',
  'BinaryPrefixComparator',
  'BitComparator',
  'NullComparator',
  'RegexStringComparator',
  'SubstringComparator',
] as const

/** HBase: ByteArrayComparableModel.build. Throws ILLEGAL_ARGUMENT. */
export function buildComparator(members: SpecMembers, spec: ComparatorSpec): Comparator {
  const kind = members.word(spec, 'type', KINDS)
  switch (kind) {
    case 'BinaryComparator':
    case 'BinaryPrefixComparator':
      return { kind, value: members.bytes(spec, 'value') }
    case 'BitComparator':
      return {
        kind,
        value: members.bytes(spec, 'value'),
        operator: members.word(spec, 'op', ['AND', 'OR', 'XOR']),
      }
    case 'NullComparator':
      return { kind }
    case 'RegexStringComparator': {
      const pattern = members.needed(spec, 'value')
      try {
        compileJavaRegex(pattern, Dotall)
      } catch (error) {
        if (!isHBaseError(error)) throw error
        members.refuse(spec, `a regular expression as "value" (${error.message})`)
      }
      return { kind, pattern, flags: Dotall, charset: 'UTF-8', engine: 'JAVA' }
    }
    case 'SubstringComparator':
      return { kind, substring: members.needed(spec, 'value').toLowerCase() }
  }
}
