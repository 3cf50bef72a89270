import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasOwnSlab, Output } from '../../../src/wire/thrift/output.ts'

function write(output: Output, bytes: Buffer): void {
  const at = output.reserve(bytes.length)
  bytes.copy(output.buffer, at)
  output.length = at + bytes.length
}

const anyAnswer = fc.record({
  pieces: fc.array(fc.nat(90_000), { maxLength: 6 }),
  givenBack: fc.boolean(),
  rewound: fc.boolean(),
})

test('answers of any size keep their bytes, whatever slabs are given back', () => {
  fc.assert(
    fc.property(fc.array(anyAnswer, { maxLength: 12 }), (answers) => {
      const output = new Output()
      const kept: { taken: Buffer; expected: Buffer }[] = []
      for (const [index, { pieces, givenBack, rewound }] of answers.entries()) {
        if (rewound) {
          const { pending } = output
          write(output, Buffer.alloc(70_000, 0xff))
          output.rewind(pending)
        }
        const parts = pieces.map((length, piece) => Buffer.alloc(length, index * 16 + piece))
        for (const part of parts) write(output, part)
        const taken = output.take()
        const expected = Buffer.concat(parts)
        expect(taken.equals(expected)).toBe(true)
        if (givenBack) output.giveBack(taken)
        else kept.push({ taken, expected })
      }
      for (const { taken, expected } of kept) expect(taken.equals(expected)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('a large answer that was sent lends its slab to the next', () => {
  const output = new Output()
  write(output, Buffer.alloc(200_000))
  const first = output.take()
  expect(hasOwnSlab(first)).toBe(true)
  output.giveBack(first)
  write(output, Buffer.alloc(200_000))
  expect(output.take().buffer).toBe(first.buffer)
})
