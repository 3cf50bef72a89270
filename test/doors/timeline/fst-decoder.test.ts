import { describe, expect, test } from 'vitest'
import { decodeFst } from '../../../src/doors/timeline/import/fst-decoder.ts'
import { JavaDouble } from '../../../src/doors/timeline/values/timeline-value.ts'

/** Written by fst 2.50, as Hadoop 3.3.6 sets it up. */
const WRITTEN: readonly (readonly [string, unknown])[] = [
  ['ff', null],
  ['f0', true],
  ['ef', false],
  ['f700', 0],
  ['f7ff', -1],
  ['f7808000', 128],
  ['f78081ff', -127],
  ['f78100800000', 32768],
  ['f78100000080', -2147483648],
  ['f6820000008000000000', 2147483648],
  ['f682ffffffffffffff7f', 9223372036854775807n],
  ['00090000000000000040', new JavaDouble(2)],
  ['0009000000000000f8bf', new JavaDouble(-1.5)],
  ['00080000c03f', new JavaDouble(1.5)],
  ['000505', 5],
  ['000407', 7],
  ['fc00', ''],
  ['fc01e9', 'é'],
  ['fc01ffe565', '日'],
  ['fc02ff3dd8ff00de', '😀'],
  [`fc808000${'61'.repeat(128)}`, 'a'.repeat(128)],
  ['001000', []],
  ['001005f701fc0161ff00090000000000000440f0', [1, 'a', null, new JavaDouble(2.5), true]],
  [
    '000f02fc0161f701fc0162fc0178',
    new Map<string, unknown>([
      ['a', 1],
      ['b', 'x'],
    ]),
  ],
  [
    '0001176a6176612e7574696c2e4c696e6b6564486173684d617002fc0178f701fc0179ff',
    new Map([
      ['x', 1],
      ['y', null],
    ]),
  ],
  [
    '0001176a6176612e7574696c2e4c696e6b6564486173684d617002fc02696e00ffe80302fc0178f701fc0179fffc017a00100200ffe80302fc0178f701fc0179ff00ffe80302fc0178f701fc0179ff',
    new Map<string, unknown>([
      [
        'in',
        new Map([
          ['x', 1],
          ['y', null],
        ]),
      ],
      [
        'z',
        [
          new Map([
            ['x', 1],
            ['y', null],
          ]),
          new Map([
            ['x', 1],
            ['y', null],
          ]),
        ],
      ],
    ]),
  ],
  // Of 2.24, where LinkedHashMap had a number.
  ['005301fc0161f701', new Map([['a', 1]])],
  ['000b0d018ee90ff6c373e0ee4e3f0ad2', 123456789012345678901234567890n],
  ['000b01fb', -5],
  ['001701f701', [1]],
  ['0001116a6176612e7574696c2e4861736853657401fc0171', ['q']],
  [
    '001102fc0161f701fc0162fc0178',
    new Map<string, unknown>([
      ['a', 1],
      ['b', 'x'],
    ]),
  ],
  [
    '001b02fc0162fc0178fc0161f701',
    new Map<string, unknown>([
      ['b', 'x'],
      ['a', 1],
    ]),
  ],
]

test.each(WRITTEN)('%s', (hex, value) => {
  expect(decodeFst(Buffer.from(hex, 'hex'))).toEqual(value)
})

describe('bytes that are no such value', () => {
  test('cut anywhere', () => {
    for (const [hex] of WRITTEN) {
      const bytes = Buffer.from(hex, 'hex')
      for (let length = 0; length < bytes.length; length++)
        expect(() => decodeFst(bytes.subarray(0, length)), `${hex} cut to ${length}`).toThrow(
          'a stored value is truncated',
        )
    }
  })

  test.each([
    ['42', 'the unknown tag 0x42'],
    ['001305', 'the unknown class 19'],
    ['0001116a6176612e7574696c2e4861736853657500', 'of the class java.util.HashSeu'],
    ['00ffe803', 'the unknown class 1000'],
    ['000f01f701f702', 'a key that is not text'],
    ['001001'.repeat(201), 'nested too deeply'],
    ['fc82ffffffffffffff7f', 'a stored value is truncated'],
  ])('%s', (hex, reason) => {
    expect(() => decodeFst(Buffer.from(hex, 'hex'))).toThrow(reason)
  })
})
