import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadZstd } from '../../../../adapters/native/hfile/compression/chunk-codecs.ts'
import { loadZstdModule } from '../../../../adapters/native/hfile/compression/zstd-module.ts'
import {
  BLOCK_CODECS,
  type BlockCodec,
  codecByName,
  codecByOrdinal,
  FramedCodec,
} from '../../../../adapters/native/hfile/compression.ts'
import { CHUNK_BYTES_MAX, frame, unframe } from '../../../../src/wire/hadoop/hadoop-framing.ts'
import { loadSnappy } from '../../../../src/wire/hadoop/snappy-codec.ts'

const PACKED = BLOCK_CODECS.filter(({ name }) => name !== 'NONE')
const FRAMED = BLOCK_CODECS.filter(({ name }) => ['SNAPPY', 'LZ4', 'ZSTD'].includes(name))

function someBytes(bytes: number): Buffer {
  return Buffer.from(Array.from({ length: bytes }, (_, i) => (i * i) % 251))
}

function decompressed(codec: BlockCodec, source: Buffer, payloadBytes: number): Buffer {
  const target = Buffer.alloc(payloadBytes)
  return target.subarray(0, codec.decompress(source, target, payloadBytes))
}

describe.each(PACKED)('$name', (codec) => {
  test.each([0, 1, 65536, CHUNK_BYTES_MAX, CHUNK_BYTES_MAX + 1, 3 * CHUNK_BYTES_MAX + 7])(
    '%i bytes come back',
    (bytes) => {
      const payload = someBytes(bytes)
      expect(decompressed(codec, codec.compress(payload), bytes).equals(payload)).toBe(true)
    },
  )

  test('what compresses best expands by no more than a block may claim', () => {
    const payload = Buffer.alloc(16 * 1024 * 1024)
    expect(payload.length / codec.compress(payload).length).toBeLessThan(codec.expansionMax)
  })

  test('any bytes come back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const payload = Buffer.from(bytes)
        expect(decompressed(codec, codec.compress(payload), payload.length).equals(payload)).toBe(true)
      }),
    )
  })

  test('damaged bytes are an error, or as many bytes as were asked for', () => {
    const compressed = codec.compress(someBytes(5000))
    fc.assert(
      fc.property(fc.nat(compressed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(compressed)
        damaged[at] = damaged[at]! ^ change
        let length = -1
        try {
          length = decompressed(codec, damaged, 5000).length
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
        if (codec.name !== 'GZ') expect([-1, 5000]).toContain(length)
      }),
    )
  })
})

describe.each(FRAMED)('$name', (codec) => {
  test('a part of the block, or the whole and more, is an error', () => {
    const payload = someBytes(5000)
    const compressed = codec.compress(payload)
    for (const end of [0, 3, 4, 7, 8, 20, compressed.length - 1])
      expect(() => decompressed(codec, compressed.subarray(0, end), 5000)).toThrow()
    expect(() => decompressed(codec, Buffer.concat([compressed, compressed]), 5000)).toThrow()
    expect(() => decompressed(codec, compressed, 4999)).toThrow()
  })
})

test('several originals in a row make one block, and one of no bytes nothing', () => {
  const codec = loadSnappy()
  const parts = [someBytes(100), Buffer.alloc(0), someBytes(300)]
  const framed = Buffer.concat(parts.map((part) => frame(part, codec)))
  const payload = Buffer.alloc(400)
  expect(unframe(framed, payload, 400, codec)).toBe(400)
  expect(payload.equals(Buffer.concat(parts))).toBe(true)
})

test("a bare ZSTD frame, as Hadoop's native codec writes it", () => {
  const payload = someBytes(70_000)
  const bare = Buffer.from(loadZstd().compress(payload))
  expect(decompressed(codecByName('ZSTD')!, bare, payload.length).equals(payload)).toBe(true)
})

test('ZSTD by WebAssembly takes memory anew as blocks grow', () => {
  const zstd = loadZstdModule()
  for (const bytes of [10, 100_000, 50, 1_000_000, 3]) {
    const payload = someBytes(bytes)
    expect(Buffer.from(zstd.decompress(Buffer.from(zstd.compress(payload)), bytes)).equals(payload)).toBe(
      true,
    )
  }
})

/** On a Node without ZSTD both are WebAssembly: `npm run test:newest` has the two. */
test.each([1, 5000, CHUNK_BYTES_MAX])(
  "Node's ZSTD and WebAssembly's read each other's frames of %i bytes",
  (bytes) => {
    const codecs = [loadZstd(), loadZstdModule()]
    const payload = someBytes(bytes)
    for (const writer of codecs) {
      const frame = Buffer.from(writer.compress(payload))
      for (const reader of codecs)
        expect(Buffer.from(reader.decompress(frame, bytes)).equals(payload)).toBe(true)
    }
  },
)

test('a codec whose library does not load is not there', () => {
  let loads = 0
  const codec = new FramedCodec('X', 99, 1, () => {
    loads++
    throw new Error('no build for this platform')
  })
  expect([codec.isAvailable, codec.isAvailable, loads]).toEqual([false, false, 1])
  expect(() => codec.compress(Buffer.alloc(1))).toThrow('no build for this platform')
})

test('codecs are known by their ordinals and by their names in any case', () => {
  expect(['gz', 'Snappy', 'LZ4', 'zstd', 'NONE'].map((name) => codecByName(name)?.ordinal)).toEqual([
    1, 3, 4, 6, 2,
  ])
  expect([0, 1, 2, 3, 4, 5, 6].map((ordinal) => codecByOrdinal(ordinal)?.name)).toEqual([
    undefined,
    'GZ',
    'NONE',
    'SNAPPY',
    'LZ4',
    undefined,
    'ZSTD',
  ])
})
