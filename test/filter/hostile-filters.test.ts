import { describe, expect, test } from 'vitest'
import { encodeFilter } from '../../src/filter/protobuf/encode-filter.ts'
import { FILTER_DEPTH_MAX } from '../../src/filter/schema/filter-depth.ts'
import type { Filter } from '../../src/model/filter.ts'
import { expectAnswer, forms } from './filter-form.ts'

/** Inputs that could cost a parser time or its stack. Each is read in milliseconds, or the test runs out of time. */
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
