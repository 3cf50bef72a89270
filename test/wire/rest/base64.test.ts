import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import { base64Length, decodeLenientBase64, readBase64, writeBase64 } from '../../../src/wire/rest/base64.ts'
import { OutputBuffer } from '../../../src/wire/rest/output-buffer.ts'

const bytes = fc.uint8Array({ maxLength: 70 }).map((array) => Buffer.from(array))

function strict(text: string): Buffer | undefined {
  const source = Buffer.from(`..${text}..`, 'latin1')
  const target = Buffer.alloc(text.length + 1)
  const end = readBase64(source, 2, 2 + text.length, target, 1)
  return end < 0 ? undefined : target.subarray(1, end)
}

describe('base64', () => {
  test('writes what Buffer writes, wherever it stands', () => {
    fc.assert(
      fc.property(bytes, fc.nat(5), (value, shift) => {
        const out = new OutputBuffer(base64Length(value.length) + shift)
        const source = Buffer.concat([Buffer.alloc(shift), value])
        const end = writeBase64(new ViewedBytes(source).view, shift, value.length, out.view, shift)
        expect(out.buffer.toString('latin1', shift, end)).toBe(value.toString('base64'))
        expect(end).toBe(out.buffer.length)
      }),
    )
  })

  test('reads back what was written, strictly and leniently', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(strict(value.toString('base64'))).toEqual(value)
        expect(decodeLenientBase64(value.toString('base64'))).toEqual(value)
      }),
    )
  })

  test.each(['e', 'eA', 'eA=', 'eA =', 'Zj ph', 'Zj=h', '!!!!', '-_8=', 'e===', '====', 'eA==e', 'e\xffA='])(
    'is strict with %j',
    (text) => {
      expect(strict(text)).toBeUndefined()
    },
  )

  test.each([
    ['eA==\n', 'x'],
    [' eA==', 'x'],
    ['eA== \t eXl5', 'xyyy'],
    ['eA==eA==eXk=', 'xxyy'],
  ])('reads %j as Jackson does', (text, decoded) => {
    expect(strict(text)?.toString('latin1')).toBe(decoded)
  })

  test.each([
    ['e', ''],
    ['eA', ''],
    [' e\nA = =', 'x'],
    ['!!', ''],
    ['eHl6eA==eA==', 'xyzxx'],
    ['\u20ace\u20acA==', 'x'],
  ])('is lenient with %j', (text, decoded) => {
    expect(decodeLenientBase64(text).toString('latin1')).toBe(decoded)
  })
})
