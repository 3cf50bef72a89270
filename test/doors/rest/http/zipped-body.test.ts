import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { zippedAtOnce, zippedBody } from '../../../../src/doors/rest/http/zipped-body.ts'

const lengths = fc.oneof(fc.nat({ max: 9000 }), fc.constantFrom(0, 1, 1024, 1025, 8192, 8193, 70_000))

test('every body is unzipped to itself', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, fc.uint8Array({ minLength: 1, maxLength: 40 }), async (length, pattern) => {
      const body = Buffer.alloc(length, pattern)
      expect(gunzipSync(await zippedBody(body)).equals(body)).toBe(true)
      const atOnce = zippedAtOnce(body)
      if (atOnce !== undefined) expect(gunzipSync(atOnce).equals(body)).toBe(true)
    }),
  )
})

test('a small body grows by 23 bytes, a larger one shrinks, and a large one goes to another thread', () => {
  expect(zippedAtOnce(Buffer.alloc(1024))).toHaveLength(1047)
  expect(zippedAtOnce(Buffer.alloc(1025))!.length).toBeLessThan(100)
  expect(zippedAtOnce(Buffer.alloc(8193))).toBeUndefined()
  expect(zippedBody(Buffer.alloc(8193))).toBeInstanceOf(Promise)
})
