import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIXED_TEXT_SLACK, FixedText } from '../../../src/wire/rest/fixed-text.ts'
import { OutputBuffer } from '../../../src/wire/rest/output-buffer.ts'

const latin = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) })

test('a text stands where it was written, whatever its length', () => {
  fc.assert(
    fc.property(fc.array(latin, { maxLength: 5 }), fc.nat(3), (texts, shift) => {
      const all = texts.join('')
      const out = new OutputBuffer(shift + all.length + FIXED_TEXT_SLACK)
      let at = shift
      for (const text of texts) at = new FixedText(text).write(out.view, at)
      expect(at).toBe(shift + all.length)
      expect(out.buffer.toString('latin1', shift, at)).toBe(all)
    }),
  )
})
