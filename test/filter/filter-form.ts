/** The three forms in which Tidegate reads and prints filters, and the values that tests draw for them. */

import fc from 'fast-check'
import { expect } from 'vitest'
import { parseFilterJson } from '../../src/filter/json/parse-filter-json.ts'
import { printFilterJson } from '../../src/filter/json/print-filter-json.ts'
import { parseFilterString } from '../../src/filter/language/parse-filter-string.ts'
import { printFilterString } from '../../src/filter/language/print-filter-string.ts'
import { decodeFilter } from '../../src/filter/protobuf/decode-filter.ts'
import { encodeFilter } from '../../src/filter/protobuf/encode-filter.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import type { Comparator, Filter } from '../../src/model/filter.ts'
import { anyWords, filterArbitrary } from './filter-arbitrary.ts'

export interface Form {
  readonly name: string
  /** undefined: the form cannot express the filter. */
  print(filter: Filter): Buffer | undefined
  parse(bytes: Buffer): Filter
  /** Trees that the form can express. */
  readonly trees: fc.Arbitrary<Filter>
  readonly isTotal: boolean
  /** The parts of strings of the form. */
  readonly tokens: readonly string[]
}

export const isPattern = ({ kind }: Comparator): boolean =>
  kind === 'RegexStringComparator' || kind === 'SubstringComparator'

/** As filterArbitrary, but mostly trees that the language can express. */
const languageTrees = filterArbitrary({
  ...anyWords,
  comparators: fc.oneof(
    fc.record({
      kind: fc.constantFrom('BinaryComparator', 'BinaryPrefixComparator'),
      value: anyWords.values,
    }),
    fc.record({
      kind: fc.constant('RegexStringComparator' as const),
      pattern: fc.constantFrom("it's", 'a.*b', '^[^)]', 'é'),
      flags: fc.constantFrom(32, 34),
      charset: fc.constant('UTF-8'),
      engine: fc.constant('JAVA' as const),
    }),
    fc.record({
      kind: fc.constant('SubstringComparator' as const),
      substring: fc.constantFrom("it's", 'ß', ''),
    }),
  ),
  without: [
    'FilterAllFilter',
    'FirstKeyValueMatchingQualifiersFilter',
    'FuzzyRowFilter',
    'MultiRowRangeFilter',
    'RandomRowFilter',
  ],
})

export const forms: readonly Form[] = [
  {
    name: 'the language',
    print: printFilterString,
    parse: parseFilterString,
    trees: languageTrees,
    isTotal: false,
    tokens: [
      "'",
      "''",
      '(',
      ')',
      ',',
      ' ',
      '\t',
      ' AND ',
      ' OR ',
      'SKIP ',
      ' WHILE (',
      '=',
      '<=',
      '!=',
      'true',
      '5',
      '-',
      'PageFilter(5)',
      "RowFilter(=, 'binary:a')",
      "'regexstring:(a'",
      '\u{1f600}',
      '\0',
    ],
  },
  {
    name: 'JSON',
    print: (filter) => {
      const text = printFilterJson(filter)
      return text === undefined ? undefined : Buffer.from(text)
    },
    parse: (bytes) => parseFilterJson(bytes.toString()),
    trees: filterArbitrary(),
    isTotal: false,
    tokens: [
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      'null',
      'true',
      '5',
      '-1.5',
      '1e400',
      '"type"',
      '"value"',
      '"YQ=="',
      '"YQ="',
      '"KeyOnlyFilter"',
      '"filters":[',
      '\\',
      '\\ud800',
      '\u{1f600}',
      '\0',
    ],
  },
  {
    name: 'protobuf',
    print: (filter) => Buffer.from(encodeFilter(filter)),
    parse: decodeFilter,
    trees: filterArbitrary(),
    isTotal: true,
    tokens: [
      '\n',
      '\x12',
      '\x00',
      '\x0b',
      '\x0c',
      '\x0f',
      '\x7f',
      '\u{1f600}',
      'org.apache.hadoop.hbase.filter.PageFilter',
    ],
  },
]

export function expectAnswer(form: Form, bytes: Buffer): void {
  try {
    form.parse(bytes)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    expect(['ILLEGAL_ARGUMENT', 'CORRUPTION', 'DO_NOT_RETRY', 'REFUSED', 'IO']).toContain(error.code)
    expect(error.message).not.toBe('')
  }
}
