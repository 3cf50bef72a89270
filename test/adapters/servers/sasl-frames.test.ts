import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { SaslReader, saslFrames } from '../../../adapters/servers/thrift/sasl-frames.ts'
import { SEED, testRuns } from '../../harness/test-runs.ts'

const MIB = 1024 * 1024

afterEach(() => vi.restoreAllMocks())

/** The statuses OK, with words, and COMPLETE. */
const LOGIN = Buffer.concat([Buffer.of(2, 0, 0, 0, 2), Buffer.from('ok'), Buffer.of(5, 0, 0, 0, 0)])

function frame(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The bytes within the frames of a stream that comes in pieces of these lengths, again and again. */
function read(stream: Buffer, lengths: readonly number[]): Buffer {
  const reader = new SaslReader(MIB)
  const parts: Buffer[] = []
  for (let at = 0, i = 0; at < stream.length; i++) {
    const end = at + lengths[i % lengths.length]!
    // A socket reuses the memory that it hands on.
    const chunk = Buffer.from(stream.subarray(at, end))
    parts.push(reader.push(chunk))
    chunk.fill(0xee)
    at = end
  }
  expect(reader.isLoggedIn).toBe(true)
  return Buffer.concat(parts)
}

test('frames in any pieces are what went into them', () => {
  const anyFrames = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 })
  const anyLengths = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 })
  const property = fc.property(anyFrames, anyLengths, (frames, lengths) => {
    const stream = Buffer.concat([LOGIN, ...frames.map(frame)])
    expect(read(stream, lengths).equals(Buffer.concat(frames))).toBe(true)
  })
  fc.assert(property, { numRuns: testRuns(200), ...(SEED !== undefined && { seed: SEED }) })
})

test('a large answer, in many small pieces', () => {
  const bytes = Buffer.from(Array.from({ length: 900_000 }, (_, i) => (i * 31) & 0xff))
  expect(read(Buffer.concat([LOGIN, frame(bytes)]), [61]).equals(bytes)).toBe(true)
  expect(saslFrames(bytes).length).toBe(bytes.length + 4)
})

test('a login that is refused, and frames that are too long', () => {
  const refused = Buffer.concat([Buffer.of(3, 0, 0, 0, 2), Buffer.from('no')])
  expect(() => new SaslReader(10).push(refused)).toThrow('the server refuses the login: no')
  expect(() => new SaslReader(10).push(Buffer.concat([LOGIN, frame(Buffer.alloc(11))]))).toThrow(
    'of at most 10',
  )
})

test('a frame in a thousand pieces is not copied with each of them', () => {
  const sent = frame(Buffer.alloc(MIB, 'x'))
  const reader = new SaslReader(MIB)
  reader.push(LOGIN)
  const made = vi.spyOn(Buffer, 'allocUnsafeSlow')
  const joined = vi.spyOn(Buffer, 'concat')
  let received = 0
  for (let at = 0; at < sent.length; at += 1024) received += reader.push(sent.subarray(at, at + 1024)).length
  expect(received).toBe(MIB)
  expect(made.mock.calls.length).toBeLessThan(20)
  const lengths = joined.mock.calls.flatMap(([parts]) => parts.map(({ length }) => length))
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(MIB)
})
