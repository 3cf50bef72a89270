/** A filter printed in a form and read again is the same filter; whatever else comes in is answered, and soon. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FILTER_DEPTH_MAX } from '../../src/filter/filter-depth.ts'
import { parseFilterJson } from '../../src/filter/json/parse-filter-json.ts'
import { printFilterJson } from '../../src/filter/json/print-filter-json.ts'
import { parseFilterString } from '../../src/filter/language/parse-filter-string.ts'
import { printFilterString } from '../../src/filter/language/print-filter-string.ts'
import { decodeFilter } from '../../src/filter/protobuf/decode-filter.ts'
import { encodeFilter } from '../../src/filter/protobuf/encode-filter.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import type { Comparator, Filter, FilterOperator } from '../../src/model/filter.ts'
import { anyWords, filterArbitrary } from './filter-arbitrary.ts'

const RUNS = 100

interface Form {
  readonly name: string
  /** undefined: the form cannot say it. */
  print(filter: Filter): Buffer | undefined
  parse(bytes: Buffer): Filter
  /** What the form has for every tree. */
  readonly trees: fc.Arbitrary<Filter>
  readonly isTotal: boolean
  /** What strings of the form are made of. */
  readonly tokens: readonly string[]
}

const isPattern = ({ kind }: Comparator): boolean =>
  kind === 'RegexStringComparator' || kind === 'SubstringComparator'

/** As filterArbitrary, but mostly what the language can say. */
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

const forms: readonly Form[] = [
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

function expectAnswer(form: Form, bytes: Buffer): void {
  try {
    form.parse(bytes)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    expect(['ILLEGAL_ARGUMENT', 'CORRUPTION', 'DO_NOT_RETRY', 'IO']).toContain(error.code)
    expect(error.message).not.toBe('')
  }
}

describe.each(forms)('$name', (form) => {
  test('says a filter so that it is read as the same one', () => {
    let said = 0
    let runs = 0
    fc.assert(
      fc.property(form.trees, (filter) => {
        runs++
        const printed = form.print(filter)
        if (printed === undefined) return
        said++
        expect(form.parse(printed)).toEqual(filter)
      }),
      { numRuns: RUNS },
    )
    expect(said).toBeGreaterThan(form.isTotal ? runs - 1 : runs / 10)
  })

  test('answers any bytes', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array)),
      fc
        .array(fc.constantFrom(...form.tokens), { maxLength: 12 })
        .map((tokens) => Buffer.from(tokens.join(''))),
    )
    fc.assert(
      fc.property(noise, (bytes) => expectAnswer(form, bytes)),
      { numRuns: RUNS },
    )
  })

  test('answers what was a filter before it was damaged', () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true })
    const damage = fc.tuple(
      place,
      fc.nat({ max: 4 }),
      fc.oneof(fc.constantFrom(...form.tokens, ''), fc.string()),
    )
    fc.assert(
      fc.property(form.trees, fc.array(damage, { minLength: 1, maxLength: 3 }), (filter, damages) => {
        let bytes = form.print(filter) ?? Buffer.alloc(0)
        for (const [at, removed, put] of damages) {
          const start = Math.floor(at * bytes.length)
          bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(put), bytes.subarray(start + removed)])
        }
        expectAnswer(form, bytes)
      }),
      { numRuns: RUNS },
    )
  })
})

/** What could take a parser time or its stack. Each of them is read in milliseconds, or the test runs out of time. */
const hostile: readonly (readonly [form: number, name: string, bytes: () => Buffer])[] = [
  [0, 'parentheses', () => Buffer.from('('.repeat(200_000))],
  [0, 'prefixes', () => Buffer.from(`${'SKIP '.repeat(50_000)}KeyOnlyFilter()`)],
  [
    0,
    'lists',
    () => Buffer.from(`${'(KeyOnlyFilter() AND '.repeat(20_000)}KeyOnlyFilter()${')'.repeat(20_000)}`),
  ],
  [0, 'one long list', () => Buffer.from(`${'KeyOnlyFilter() OR '.repeat(20_000)}KeyOnlyFilter()`)],
  [0, 'quotes', () => Buffer.from(`PrefixFilter(${"'".repeat(1_000_001)}`)],
  [0, 'arguments', () => Buffer.from(`TimestampsFilter(${'1 '.repeat(50_000)})`)],
  [0, 'digits', () => Buffer.from(`PageFilter(${'0'.repeat(1_000_000)})`)],
  [0, 'no filter', () => Buffer.from('a'.repeat(1_000_000))],
  [1, 'wrapped filters', () => Buffer.from('{"type":"SkipFilter","filters":['.repeat(50_000))],
  [1, 'arrays', () => Buffer.from(`{"filters":${'['.repeat(500_000)}`)],
  [1, 'digits', () => Buffer.from(`{"limit":${'1'.repeat(100_000)}}`)],
  [1, 'base64', () => Buffer.from(`{"ranges":[{"startRow":"${' '.repeat(100_000)}x"}]}`)],
  [2, 'groups', () => Buffer.alloc(1_000_000, 0x2b)],
  [2, 'wrapped filters', () => wrapped(1000)],
]

/** A length-delimited field. */
function field(number: number, bytes: Buffer): Buffer {
  const length: number[] = []
  for (let rest = bytes.length; ; rest >>>= 7) {
    length.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80)
    if (rest < 0x80) break
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
}

function wrapped(times: number): Buffer {
  let bytes: Buffer = Buffer.from(encodeFilter({ kind: 'FirstKeyOnlyFilter' }))
  const name = field(1, Buffer.from('org.apache.hadoop.hbase.filter.SkipFilter'))
  for (let i = 0; i < times; i++) bytes = Buffer.concat([name, field(2, field(1, bytes))])
  return bytes
}

describe('hostile input', () => {
  test.each(hostile)('form %i: %s', (form, _, bytes) => {
    const input = bytes()
    const start = performance.now()
    expectAnswer(forms[form]!, input)
    expect(performance.now() - start).toBeLessThan(4000)
  })

  test.each(forms)(`of $name lies at most ${FILTER_DEPTH_MAX} deep`, (form) => {
    let deepest: Filter = { kind: 'KeyOnlyFilter', lengthAsValue: false }
    for (let depth = 1; depth < FILTER_DEPTH_MAX; depth++)
      deepest = { kind: 'WhileMatchFilter', filter: deepest }
    expect(form.parse(form.print(deepest)!)).toEqual(deepest)
    const deeper = form.print({ kind: 'SkipFilter', filter: deepest })!
    const code = form.name === 'protobuf' ? 'DO_NOT_RETRY' : 'ILLEGAL_ARGUMENT'
    const message: unknown = expect.stringMatching(new RegExp(`^.{0,99}more than ${FILTER_DEPTH_MAX} deep`))
    expect(() => form.parse(deeper)).toThrow(expect.objectContaining({ code, message }))
  })
})

function comparing(operator: FilterOperator, comparator: Comparator): Filter {
  return {
    kind: 'ValueFilter',
    operator,
    comparator,
  }
}

describe('what a form cannot say', () => {
  const regex = {
    kind: 'RegexStringComparator',
    pattern: 'a',
    flags: 8,
    charset: 'UTF-8',
    engine: 'JAVA',
  } as const
  const unsaid: readonly Filter[] = [
    comparing('EQUAL', regex),
    comparing('EQUAL', { ...regex, flags: 32, charset: 'ISO-8859-1' }),
    comparing('EQUAL', { ...regex, flags: 32, engine: 'JONI' }),
    comparing('EQUAL', { kind: 'LongComparator', value: Buffer.alloc(8) }),
    { kind: 'ColumnPaginationFilter', limit: 1, offset: Buffer.from('q') },
    { kind: 'TimestampsFilter', timestamps: [1n], canHint: true },
    { kind: 'FilterAllFilter' },
    { kind: 'FirstKeyValueMatchingQualifiersFilter', qualifiers: [] },
    { kind: 'FuzzyRowFilter', keys: [{ row: Buffer.from('a'), mask: Buffer.from([1]) }], isMaskV2: false },
  ]

  test.each(unsaid)('$kind', (filter) => {
    expect(printFilterString(filter)).toBe(undefined)
    expect(printFilterJson(filter)).toBe(undefined)
    expect(printFilterJson({ kind: 'FilterList', operator: 'MUST_PASS_ALL', filters: [filter] })).toBe(
      undefined,
    )
  })

  test('is for the language also a comparison that it refuses, a list of one, and NO_OP', () => {
    const substring = { kind: 'SubstringComparator', substring: 'a' } as const
    expect(isPattern(substring)).toBe(true)
    expect(printFilterString(comparing('LESS', substring))).toBe(undefined)
    expect(printFilterString(comparing('NO_OP', { kind: 'BinaryComparator', value: Buffer.alloc(0) }))).toBe(
      undefined,
    )
    const filters = [{ kind: 'FirstKeyOnlyFilter' }] as const
    expect(printFilterString({ kind: 'FilterList', operator: 'MUST_PASS_ALL', filters })).toBe(undefined)
  })

  test('is for JSON also a column range with an open end, and a KeyOnlyFilter for lengths', () => {
    const open: Filter = {
      kind: 'ColumnRangeFilter',
      min: undefined,
      includeMin: true,
      max: Buffer.from('b'),
      includeMax: true,
    }
    expect(printFilterJson(open)).toBe(undefined)
    expect(printFilterJson({ kind: 'KeyOnlyFilter', lengthAsValue: true })).toBe(undefined)
  })
})
