import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toStringBinary } from '../../src/model/bytes.ts'
import { Latencies } from '../../src/model/latencies.ts'
import { consoleModule } from './console-module.ts'

type Classes = [number, number][]

const { escaped, fromBase64, readableText, toBase64, unescaped } = await consoleModule<{
  escaped: (bytes: Uint8Array) => string
  unescaped: (text: string) => Uint8Array
  fromBase64: (text: string) => Uint8Array
  toBase64: (bytes: Uint8Array) => string
  readableText: (bytes: Uint8Array) => string | undefined
}>('bytes.js')
const { decoded, indentedJson } = await consoleModule<{
  decoded: (bytes: Uint8Array, form: string) => { text: string; isOther: boolean }
  indentedJson: (text: string) => string | undefined
}>('decode.js')
const { quantile } = await consoleModule<{ quantile: (classes: Classes, q: number) => number | undefined }>(
  'latencies.js',
)
const { rate } = await consoleModule<{ rate: (perSecond: number) => string }>('words.js')
const { timeTicks, valueTicks } = await consoleModule<{
  valueTicks: (max: number, kind: 'any' | 'whole' | 'bytes') => number[]
  timeTicks: (from: number, to: number, most: number) => number[]
}>('scales.js')

const anyBytes = fc.uint8Array({ maxLength: 60 })

test('every string of bytes has one text, which is HBase’s, and is read as the same bytes', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      expect(escaped(bytes)).toBe(toStringBinary(Buffer.from(bytes)))
      expect(unescaped(escaped(bytes))).toEqual(bytes)
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
    }),
  )
})

test('what a person types is UTF-8, and a lone backslash is no byte', () => {
  expect(Buffer.from(unescaped('Zü😀\\x00\\xfF')).toString('hex')).toBe('5ac3bcf09f988000ff')
  for (const text of ['\\', 'a\\n', '\\x0', '\\xg0'])
    expect(() => unescaped(text), text).toThrow('After a backslash write x')
})

test('only text that can be read is shown as text', () => {
  expect(readableText(Buffer.from('Zürich 😀\n'))).toBe('Zürich 😀\n')
  for (const odd of ['ff', '00', 'e280ae', 'c285', 'efbbbf61', 'f4908080', 'eda080']) {
    expect(readableText(Buffer.from(odd, 'hex')), odd).toBeUndefined()
  }
})

test.each([
  ['auto', '00ff', '\\x00\\xFF', false],
  ['text', 'c3bc', '\\xC3\\xBC', false],
  ['hex', '0aff', '0A FF', false],
  ['int64', '7fffffffffffffff', '9223372036854775807', false],
  ['int64', 'ffdfffffffffffff', '-9007199254740993', false],
  ['int64', '00', '\\x00', true],
  ['int32', 'fffffffe', '-2', false],
  ['float64', '3ff8000000000000', '1.5', false],
  ['float32', '7f800000', 'Infinity', false],
  ['json', Buffer.from('{"a":[1,{}]}').toString('hex'), '{\n  "a": [\n    1,\n    {}\n  ]\n}', false],
  ['json', '7b', '{', true],
])('%s of %s', (form, hex, text, isOther) => {
  expect(decoded(Buffer.from(hex, 'hex'), form)).toEqual({ text, isOther })
})

test('JSON keeps the digits of its numbers and what its strings say', () => {
  const text = indentedJson('{"n":9007199254740993,"d":1.10,"s":"a,b:[\\"{\\\\"}')
  expect(text).toBe('{\n  "n": 9007199254740993,\n  "d": 1.10,\n  "s": "a,b:[\\"{\\\\"\n}')
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(indentedJson(json)!)).toEqual(JSON.parse(json))
    }),
  )
})

test('times are those of the server', () => {
  const latencies = new Latencies()
  for (const ms of [0.003, 0.5, 3, 40]) latencies.add(ms)
  const classes = latencies.classes()
  expect([0.5, 0.99].map((q) => quantile(classes, q))).toEqual([0.5, 0.99].map((q) => latencies.quantile(q)))
  expect(quantile([], 0.5)).toBeUndefined()
})

test('axes have few round values, also of bytes and of whole numbers', () => {
  for (const [max, kind, ticks] of [
    [1, 'any', [0, 0.25, 0.5, 0.75, 1]],
    [131, 'any', [0, 50, 100, 150]],
    [0.03, 'any', [0, 0.01, 0.02, 0.03]],
    [1, 'whole', [0, 1]],
    [9, 'whole', [0, 5, 10]],
    [142 * 1024 * 1024, 'bytes', [0, 50, 100, 150].map((each) => each * 1024 * 1024)],
  ] as const)
    expect(
      valueTicks(max, kind).map((tick) => Number(tick.toPrecision(12))),
      `${max} ${kind}`,
    ).toEqual(ticks)
})

test('the values of an axis are printed so that they differ', () => {
  for (const max of [1, 0.7, 0.03, 3, 9, 60, 4000]) {
    const words = valueTicks(max, 'any').map((tick) => rate(tick))
    expect(new Set(words).size, words.join(' ')).toBe(words.length)
    expect(words.slice(1).map((word) => Number(word.replaceAll(',', '')))).toEqual(
      valueTicks(max, 'any')
        .slice(1)
        .map((tick) => Number(tick.toPrecision(6))),
    )
  }
})

test('a plot of an hour has a tick each quarter, and one of five minutes each minute', () => {
  const to = Date.UTC(2026, 0, 1, 12)
  expect(timeTicks(to - 3_600_000, to, 5).map((at) => to - at)).toEqual([
    3_600_000, 2_700_000, 1_800_000, 900_000, 0,
  ])
  expect(timeTicks(to - 300_000, to, 5)).toHaveLength(6)
})
