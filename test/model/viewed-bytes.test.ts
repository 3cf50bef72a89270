import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyViewed, ViewedBytes, WORD_COPY_BYTES_MAX } from '../../src/model/viewed-bytes.ts'
import { anyBytes } from './arbitrary-cells.ts'

test('copies the bytes that are asked for and not a byte beside them', () => {
  const lengths = fc.oneof(anyBytes(0, 120), anyBytes(WORD_COPY_BYTES_MAX - 4, WORD_COPY_BYTES_MAX + 4))
  fc.assert(
    fc.property(lengths, fc.nat(7), fc.nat(7), (bytes, before, after) => {
      const source = Buffer.concat([Buffer.alloc(before, 1), bytes, Buffer.alloc(9, 2)])
      const target = Buffer.alloc(after + bytes.length + 9, 3)
      const { length } = bytes
      const end = copyViewed(new ViewedBytes(source), before, length, new ViewedBytes(target), after)
      expect(end).toBe(after + length)
      expect(target).toEqual(Buffer.concat([Buffer.alloc(after, 3), bytes, Buffer.alloc(9, 3)]))
    }),
  )
})
