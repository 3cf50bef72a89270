/** The answers of HBase 2.6.1's REST server to filters in JSON. */

import { describe, expect, test } from 'vitest'
import { parseFilterJson } from '../../../src/filter/json/parse-filter-json.ts'
import { printFilterJson } from '../../../src/filter/json/print-filter-json.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Filter } from '../../../src/model/filter.ts'

const b = (text: string): Buffer => Buffer.from(text)
const keyOnly: Filter = { kind: 'KeyOnlyFilter', lengthAsValue: false }
const binary = '{"type":"BinaryComparator","value":"YQ=="}'

const TAKEN: readonly (readonly [text: string, filter: Filter])[] = [
  ['{"type":"KeyOnlyFilter"}', keyOnly],
  ['\t\r\n {"type":"KeyOnlyFilter"} whatever follows', keyOnly],
  ['{"type":"PageFilter","type":"KeyOnlyFilter"}', keyOnly],
  [
    '{"type":"KeyOnlyFilter","family":null,"limit":" ","chance":"1e5","ifMissing":7,"filters":[null]}',
    keyOnly,
  ],
  ['{"type":"KeyOnlyFilter","ranges":[{"startRow":[1,null,-1,255,1.5],"startRowInclusive":""}]}', keyOnly],
  // java.util.Base64 accepts missing padding, Jackson accepts white space.
  ['{"type":"PrefixFilter","value":"YQ"}', { kind: 'PrefixFilter', prefix: b('a') }],
  ['{"type":"PrefixFilter","value":"YR=="}', { kind: 'PrefixFilter', prefix: b('a') }],
  ['{"type":"PrefixFilter","value":1234}', { kind: 'PrefixFilter', prefix: Buffer.from('1234', 'base64') }],
  ['{"type":"PrefixFilter","value":true}', { kind: 'PrefixFilter', prefix: Buffer.from('true', 'base64') }],
  [
    '{"type":"MultiRowRangeFilter","ranges":[{"startRow":"YQ== Yg==\\n","startRowInclusive":null},{}]}',
    {
      kind: 'MultiRowRangeFilter',
      ranges: [
        { startRow: b('ab'), includeStartRow: false, stopRow: b(''), includeStopRow: false },
        { startRow: b(''), includeStartRow: true, stopRow: b(''), includeStopRow: false },
      ],
    },
  ],
  // Numbers.
  ['{"type":"ColumnCountGetFilter","limit":5.9}', { kind: 'ColumnCountGetFilter', limit: 5 }],
  ['{"type":"ColumnCountGetFilter","limit":" +5 "}', { kind: 'ColumnCountGetFilter', limit: 5 }],
  ['{"type":"ColumnCountGetFilter","limit":1e2}', { kind: 'ColumnCountGetFilter', limit: 100 }],
  ['{"type":"ColumnCountGetFilter","limit":-0.5}', { kind: 'ColumnCountGetFilter', limit: 0 }],
  ['{"type":"PageFilter","value":5}', { kind: 'PageFilter', pageSize: 5n }],
  ['{"type":"PageFilter","value":"+5"}', { kind: 'PageFilter', pageSize: 5n }],
  ['{"type":"RandomRowFilter","chance":0.3}', { kind: 'RandomRowFilter', chance: Math.fround(0.3) }],
  ['{"type":"RandomRowFilter","chance":"-INF"}', { kind: 'RandomRowFilter', chance: -Infinity }],
  [
    '{"type":"TimestampsFilter","timestamps":["3",2.7,9223372036854775807,3]}',
    { kind: 'TimestampsFilter', timestamps: [2n, 3n, 9223372036854775807n], canHint: false },
  ],
  // Further elements are not looked at.
  [
    '{"type":"SkipFilter","filters":[{"type":"KeyOnlyFilter"},{"type":"?"}]}',
    { kind: 'SkipFilter', filter: keyOnly },
  ],
  [
    '{"type":"FilterList","op":"MUST_PASS_ONE","filters":[]}',
    { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters: [] },
  ],
  // A pattern may stand with any operator here, and an empty bound is a bound.
  [
    '{"type":"RowFilter","op":"LESS","comparator":{"type":"SubstringComparator","value":"AbÇ"}}',
    { kind: 'RowFilter', operator: 'LESS', comparator: { kind: 'SubstringComparator', substring: 'abç' } },
  ],
  [
    '{"type":"ColumnRangeFilter","minColumn":"","minColumnInclusive":" True ","maxColumn":"YQ","maxColumnInclusive":0}',
    { kind: 'ColumnRangeFilter', min: b(''), includeMin: true, max: b('a'), includeMax: false },
  ],
  [
    `{"type":"SingleColumnValueFilter","family":"Zg==","op":"NO_OP","comparator":${binary},"ifMissing":"TRUE"}`,
    {
      kind: 'SingleColumnValueFilter',
      family: b('f'),
      qualifier: b(''),
      operator: 'NO_OP',
      comparator: { kind: 'BinaryComparator', value: b('a') },
      filterIfMissing: true,
      latestVersionOnly: true,
    },
  ],
  [
    '{"type":"FuzzyRowFilter","fuzzyKeys":[{"key":"YWI=","mask":"AAE="}]}',
    { kind: 'FuzzyRowFilter', keys: [{ row: b('ab'), mask: Buffer.from([0, 1]) }], isMaskV2: true },
  ],
  [
    '{"type":"MultipleColumnPrefixFilter","prefixes":["Yg==","YQ=="]}',
    { kind: 'MultipleColumnPrefixFilter', prefixes: [b('a'), b('b')] },
  ],
]

/** Refused texts, and part of the reason. */
const REFUSED: readonly (readonly [text: string, reason: string])[] = [
  ['', 'malformed JSON at byte 0: the text ends'],
  ['null', 'expected an object, not null'],
  ['[{"type":"KeyOnlyFilter"}]', 'at byte 0: an object must stand here'],
  ['"KeyOnlyFilter"', 'an object must stand here'],
  ['{}', 'as "type" in the object at character 1'],
  ['{"type":"keyonlyfilter"}', 'expected one of ColumnCountGetFilter, '],
  ['{"type":"ColumnValueFilter"}', 'expected one of '],
  ["{'type':'KeyOnlyFilter'}", 'a string must stand here'],
  ['{"type":"KeyOnlyFilter",}', 'a string must stand here'],
  ['{"type":"KeyOnlyFilter"', 'must stand here'],
  ['/**/{"type":"KeyOnlyFilter"}', 'no value begins so'],
  ['{"type":"KeyOnlyFilter","x":1}', 'at byte 28: there is no member "x"'],
  ['{"type":"KeyOnlyFilter","fuzzyKeys":[{"x":1}]}', 'there is no member "x"'],
  ['{"type":"KeyOnlyFilter","toString":1}', 'there is no member "toString"'],
  ['{"type":"KeyOnlyFilter","__proto__":{}}', 'there is no member "__proto__"'],
  ['{"type":"KeyOnlyFilter","limit":true}', 'a number must stand here'],
  ['{"type":"KeyOnlyFilter","limit":"5.9"}', 'is no integer'],
  ['{"type":"KeyOnlyFilter","limit":2147483648}', 'beyond 32 bits'],
  ['{"type":"KeyOnlyFilter","timestamps":[9223372036854775808]}', 'is no integer'],
  ['{"type":"KeyOnlyFilter","timestamps":""}', 'an array must stand here'],
  ['{"type":"KeyOnlyFilter","ifMissing":1.0}', 'true or false'],
  ['{"type":"KeyOnlyFilter","ifMissing":"tRUE"}', 'true or false'],
  ['{"type":"KeyOnlyFilter","chance":"0x1p3"}', 'no number'],
  ['{"type":"KeyOnlyFilter","chance":NaN}', 'no value begins so'],
  ['{"type":"KeyOnlyFilter","filters":[""]}', 'an object must stand here'],
  ['{"type":"KeyOnlyFilter","value":["YQ=="]}', 'a string must stand here'],
  ['{"type":"KeyOnlyFilter","ranges":[{"startRow":"YQ"}]}', 'not base64'],
  ['{"type":"KeyOnlyFilter","ranges":[{"startRow":[256]}]}', 'no byte'],
  ['{"type":"PrefixFilter"}', 'expected base64 as "value"'],
  ['{"type":"PrefixFilter","value":"Y Q=="}', 'expected base64'],
  ['{"type":"PrefixFilter","value":"YQ="}', 'expected base64'],
  ['{"type":"PrefixFilter","value":"YQ==="}', 'expected base64'],
  ['{"type":"PrefixFilter","value":"-_=="}', 'expected base64'],
  ['{"type":"PageFilter","value":" 5"}', 'a number of 64 bits'],
  ['{"type":"PageFilter","value":"-1"}', 'must be positive -1'],
  ['{"type":"ColumnCountGetFilter"}', 'expected a member "limit"'],
  ['{"type":"ColumnCountGetFilter","limit":-1}', 'limit be positive -1'],
  ['{"type":"TimestampsFilter","timestamps":[null]}', 'no null'],
  ['{"type":"FilterList","op":"AND","filters":[]}', 'expected one of MUST_PASS_ALL, MUST_PASS_ONE as "op"'],
  [
    '{"type":"FilterList","op":"MUST_PASS_ALL","filters":[{"type":"KeyOnlyFilter","op":"é"},{"type":"?"}]}',
    'at character 88',
  ],
  ['{"type":"SkipFilter","filters":[]}', 'expected a filter in "filters"'],
  ['{"type":"SkipFilter","filters":[null,{"type":"KeyOnlyFilter"}]}', 'expected a filter in "filters"'],
  [`{"type":"RowFilter","op":"=","comparator":${binary}}`, 'as "op"'],
  ['{"type":"RowFilter","op":"EQUAL"}', 'expected a member "comparator"'],
  ['{"type":"RowFilter","op":"EQUAL","comparator":{"type":"LongComparator","value":"YQ=="}}', 'as "type"'],
  [
    '{"type":"RowFilter","op":"EQUAL","comparator":{"type":"BitComparator","value":"YQ==","op":"xor"}}',
    'AND, OR, XOR',
  ],
  [
    '{"type":"RowFilter","op":"EQUAL","comparator":{"type":"RegexStringComparator","value":"a("}}',
    'Unclosed group',
  ],
  ['{"type":"MultipleColumnPrefixFilter","prefixes":["YQ==","YQ=="]}', 'prefixes must be distinct'],
  ['{"type":"MultiRowRangeFilter","ranges":[]}', 'No ranges found.'],
  ['{"type":"MultiRowRangeFilter","ranges":[{"startRow":"Yw==","stopRow":"Yg=="}]}', 'invaild ranges'],
  ['{"type":"FuzzyRowFilter","fuzzyKeys":[{"key":"YWI=","mask":"AA=="}]}', 'Fuzzy pair lengths do not match'],
  ['{"type":"FuzzyRowFilter","fuzzyKeys":[]}', 'what FuzzyRowFilter can do with'],
]

function printed(chance: number): string | undefined {
  return printFilterJson({ kind: 'RandomRowFilter', chance })
}

describe('the JSON of a filter', () => {
  test.each(TAKEN)('takes %s', (text, filter) => {
    expect(parseFilterJson(text)).toEqual(filter)
  })

  test.each(REFUSED)('refuses %s', (text, reason) => {
    let refusal: unknown
    try {
      parseFilterJson(text)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(HBaseError)
    expect((refusal as HBaseError).message).toContain(reason)
    expect(['CORRUPTION', 'ILLEGAL_ARGUMENT']).toContain((refusal as HBaseError).code)
  })

  test('is printed with the shortest number that is a float, and with what is none as a string', () => {
    expect(printed(Math.fround(0.1))).toBe('{"type":"RandomRowFilter","chance":0.1}')
    expect(printed(Math.fround(16_777_217))).toBe('{"type":"RandomRowFilter","chance":16777216}')
    expect(printed(Number.NaN)).toBe('{"type":"RandomRowFilter","chance":"NaN"}')
  })
})
