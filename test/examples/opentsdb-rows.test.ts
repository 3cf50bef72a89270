/** OpenTSDB's bytes, as OpenTSDB 2.4.1 wrote them. */

import { expect, test } from 'vitest'
import {
  decodePoint,
  decodeRowKey,
  encodePoint,
  encodeRowKey,
  hex,
  uint32,
} from '../../examples/opentsdb/row-format.ts'

const bytes = (text: string): string => Buffer.from(text, 'hex').toString('latin1')

test.each([
  ['whole seconds', 1_413_978_032_000, 912_234_340, '54478e30', '9803', '365f9764'],
  ['milliseconds', 1_413_978_032_123, 1, '54478e30', 'f9471ec0', '01'],
])('a point at %s', (_, time, number, hour, qualifier, value) => {
  const encoded = encodePoint({ time, value: number })
  expect([hex(uint32(encoded.hour)), hex(encoded.qualifier), hex(encoded.value)]).toEqual([
    hour,
    qualifier,
    value,
  ])
  expect(decodePoint(encoded.hour, encoded.qualifier, encoded.value)).toEqual({ time, value: number })
})

test.each([
  ['a float of 8 bytes', 0x4995fb70, '762f', '3fdae147ae147ae1', { time: 1_234_567_890_000, value: 0.42 }],
  ['a float of 4 bytes', 0, '001b', '3f800000', { time: 1000, value: 1 }],
  ['8 bytes', 0, '0017', 'ffffffffffffffff', { time: 1000, value: -1 }],
])('a value of %s is read', (_, hour, qualifier, value, point) => {
  expect(decodePoint(hour, bytes(qualifier), bytes(value))).toEqual(point)
})

test.each([
  [127, '7f'],
  [128, '0080'],
  [-129, 'ff7f'],
  [32_768, '00008000'],
  [2 ** 31, '0000000080000000'],
])('%d takes as few of 1, 2, 4 or 8 bytes as it can', (value, text) => {
  expect(hex(encodePoint({ time: 0, value }).value)).toBe(text)
})

function pair(both: string): [string, string] {
  return [both.slice(0, 3), both.slice(3)]
}

test('tags stand in the order of their names', () => {
  const [host, cpu] = [bytes('000001000009'), bytes('000002000003')]
  const key = encodeRowKey({ metric: bytes('000007'), hour: 3600, tags: [pair(cpu), pair(host)] })
  expect(hex(key)).toBe('00000700000e10000001000009000002000003')
  expect(decodeRowKey(key)).toEqual({ metric: bytes('000007'), hour: 3600, tags: [pair(host), pair(cpu)] })
})
