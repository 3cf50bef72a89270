import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyWords } from '../../src/model/copy-words.ts'
import { anyBytes } from './arbitrary-cells.ts'

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
}

test('copies what is asked and not a byte beside it', () => {
  fc.assert(
    fc.property(anyBytes(0, 120), fc.nat(7), fc.nat(7), (bytes, before, after) => {
      const source = Buffer.concat([Buffer.alloc(before, 1), bytes, Buffer.alloc(9, 2)])
      const target = Buffer.alloc(after + bytes.length + 9, 3)
      copyWords(viewOf(source), before, viewOf(target), after, bytes.length)
      expect(target).toEqual(Buffer.concat([Buffer.alloc(after, 3), bytes, Buffer.alloc(9, 3)]))
    }),
  )
})
