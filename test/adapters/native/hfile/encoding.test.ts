import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteOutput } from '../../../../adapters/native/hfile/byte-output.ts'
import {
  decodeEncoded,
  type EncodedLayout,
  encodedPlainBytes,
  writeEncoded,
} from '../../../../adapters/native/hfile/encoding/block-encoding.ts'
import { BLOCK_ENCODINGS } from '../../../../adapters/native/hfile/encoding/encodings.ts'
import { writeVLong } from '../../../../adapters/native/hfile/vlong.ts'
import { keyValue, type StoredCell, sortedCells, stored } from './cells.ts'

const someLayout: fc.Arbitrary<EncodedLayout> = fc.record({
  tags: fc.boolean(),
  sequenceId: fc.boolean(),
  tagsCompressed: fc.boolean(),
})

function plainCells(cells: readonly StoredCell[], layout: EncodedLayout): Buffer {
  return Buffer.concat(
    cells.flatMap(({ keyValue, sequenceId, tags }) => {
      const vlong = Buffer.alloc(9)
      const parts = [keyValue]
      if (layout.tags) parts.push(Buffer.of(tags.length >>> 8, tags.length & 0xff), tags)
      if (layout.sequenceId) parts.push(vlong.subarray(0, writeVLong(vlong, 0, sequenceId)))
      return parts
    }),
  )
}

describe.each(BLOCK_ENCODINGS)('$name', (encoding) => {
  function encoded(plain: Buffer, layout: EncodedLayout): Buffer {
    const output = new ByteOutput(16)
    output.bytes(Buffer.from('before'))
    writeEncoded(encoding, plain, 0, plain.length, layout, output)
    return Buffer.from(output.written().subarray(6))
  }

  function decoded(payload: Buffer, layout: EncodedLayout): Buffer {
    const bytes = encodedPlainBytes(encoding, payload, 0, payload.length)
    if (bytes < 0 || bytes > 1_000_000) throw new Error(`${bytes} bytes`)
    const plain = Buffer.alloc(bytes)
    decodeEncoded(encoding, payload, 0, payload.length, layout, plain)
    return plain
  }

  test('cells come back as they were, whatever they are', () => {
    fc.assert(
      fc.property(sortedCells, someLayout, (cells, layout) => {
        const plain = plainCells(cells, layout)
        if (plain.length > 0) expect(decoded(encoded(plain, layout), layout).equals(plain)).toBe(true)
      }),
    )
  })

  test('a value of a megabyte comes back', () => {
    const layout = { tags: true, sequenceId: true, tagsCompressed: true }
    const large = [keyValue('a', 'q', 2n, 4, Buffer.alloc(400_000, 7)), keyValue('b', 'q', 1n, 4, 'x')]
    const plain = plainCells(
      large.map((cell) => stored(cell)),
      layout,
    )
    expect(decoded(encoded(plain, layout), layout).equals(plain)).toBe(true)
  })

  test('more different tags than the dictionary takes come back', () => {
    const layout = { tags: true, sequenceId: true, tagsCompressed: true }
    const cells = Array.from({ length: 1000 }, (_, i) => {
      const number = i % 7 === 0 ? 1 : i % 300
      return stored(keyValue(`row${1000 + i}`), i, Buffer.of(0, 3, 8, number >>> 8, number & 0xff))
    })
    const plain = plainCells(cells, layout)
    expect(decoded(encoded(plain, layout), layout).equals(plain)).toBe(true)
  })

  test('damaged blocks end in an error or in bytes, soon', () => {
    fc.assert(
      fc.property(
        sortedCells.filter((cells) => cells.length > 0),
        someLayout,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (cells, layout, changes) => {
          const payload = encoded(plainCells(cells, layout), layout)
          for (const [at, byte] of changes) payload[at % payload.length] = byte
          try {
            decoded(payload, layout)
          } catch (error) {
            expect(error).toBeInstanceOf(Error)
          }
        },
      ),
    )
  })

  test('a block cut short is an error', () => {
    const layout = { tags: true, sequenceId: true, tagsCompressed: false }
    const payload = encoded(plainCells([stored(keyValue('a')), stored(keyValue('b'))], layout), layout)
    for (let end = 0; end < payload.length; end++)
      expect(() => decoded(payload.subarray(0, end), layout)).toThrow()
  })
})

test('an encoding does not read the blocks of another', () => {
  const [prefix, diff] = BLOCK_ENCODINGS as [(typeof BLOCK_ENCODINGS)[0], (typeof BLOCK_ENCODINGS)[0]]
  const output = new ByteOutput(64)
  const plain = keyValue('a')
  writeEncoded(
    prefix,
    plain,
    0,
    plain.length,
    { tags: false, sequenceId: false, tagsCompressed: false },
    output,
  )
  expect(() => encodedPlainBytes(diff, output.written(), 0, output.length)).toThrow('the encoding 2, not 3')
})
