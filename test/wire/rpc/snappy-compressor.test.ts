import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isHBaseError } from '../../../src/model/errors.ts'
import { snappyCompressor } from '../../../src/wire/rpc/snappy-compressor.ts'

const SNAPPY = snappyCompressor('org.apache.hadoop.io.compress.SnappyCodec')!
const BYTES_MAX = 1 << 24

const payloads = fc
  .tuple(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 4000 }))
  .map(([part, times]) => Buffer.concat(Array.from({ length: times }, () => part)))

async function streamed(pieces: readonly Buffer[]): Promise<Buffer> {
  const stream = SNAPPY.decompressor()
  for (const piece of pieces) stream.write(piece)
  stream.end()
  return buffer(stream)
}

test('what was compressed comes back, at once or in pieces, wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(payloads, fc.nat(), async (payload, cut) => {
      const compressed = SNAPPY.compress(payload)
      expect(await SNAPPY.compressAside(payload)).toEqual(compressed)
      expect(SNAPPY.decompress(compressed, BYTES_MAX).equals(payload)).toBe(true)
      const at = cut % (compressed.length + 1)
      const found = await streamed([compressed.subarray(0, at), compressed.subarray(at)])
      expect(found.equals(payload)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test('a payload of several slices is several blocks of one stream', async () => {
  const payload = Buffer.from(Array.from({ length: 9_000_000 }, (_, i) => (i * 31) >> 9))
  const compressed = await SNAPPY.compressAside(payload)
  expect(SNAPPY.decompress(compressed, BYTES_MAX).equals(payload)).toBe(true)
})

test('any other bytes, and any cut or changed ones, are refused with a reason, or make no more than the limit', async () => {
  const sound = SNAPPY.compress(Buffer.from('some cells that are compressed'.repeat(9)))
  const broken = fc.oneof(
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
    fc.nat({ max: sound.length - 1 }).map((end) => sound.subarray(0, end)),
    fc.tuple(fc.nat({ max: sound.length - 1 }), fc.integer({ min: 1, max: 255 })).map(([at, flip]) => {
      const bytes = Buffer.from(sound)
      bytes[at]! ^= flip
      return bytes
    }),
  )
  await fc.assert(
    fc.asyncProperty(broken, async (bytes) => {
      const outcomes = [() => SNAPPY.decompress(bytes, BYTES_MAX), () => streamed([bytes])]
      for (const outcome of outcomes) {
        try {
          expect((await outcome()).length).toBeLessThanOrEqual(BYTES_MAX)
        } catch (error) {
          if (!isHBaseError(error)) throw error
          expect(error.message).toContain('cannot be decompressed')
        }
      }
    }),
  )
})
