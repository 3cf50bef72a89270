/** A client's side of SASL's frames, which come in any chunks. */

import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { SaslReader, saslFrames } from '../../../adapters/servers/thrift/sasl-frames.ts'

const COMPLETE = Buffer.of(5, 0, 0, 0, 0)
const MIB = 1024 * 1024

afterEach(() => vi.restoreAllMocks())

test('frames are read in whatever chunks they come', () => {
  const contents = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 })
  fc.assert(
    fc.property(contents, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (frames, sizes) => {
      const sent = Buffer.concat([COMPLETE, ...frames.map((bytes) => saslFrames(Buffer.from(bytes)))])
      const reader = new SaslReader(MIB)
      const received: Buffer[] = []
      for (let at = 0; at < sent.length; ) {
        const size = sizes.next().value as number

        const chunk = Buffer.from(sent.subarray(at, at + size))
        received.push(reader.push(chunk))
        at += size
      }
      expect(Buffer.concat(received).equals(Buffer.concat(frames))).toBe(true)
    }),
  )
})

test('a frame in a thousand chunks is not copied with each of them', () => {
  const sent = saslFrames(Buffer.alloc(MIB, 'x'))
  const reader = new SaslReader(MIB)
  reader.push(COMPLETE)
  const made = vi.spyOn(Buffer, 'allocUnsafeSlow')
  const joined = vi.spyOn(Buffer, 'concat')
  let received = 0
  for (let at = 0; at < sent.length; at += 1024) received += reader.push(sent.subarray(at, at + 1024)).length
  expect(received).toBe(MIB)
  expect(made.mock.calls.length).toBeLessThan(20)
  const bytesJoined = joined.mock.calls.reduce(
    (sum, [parts]) => sum + parts.reduce((all, { length }) => all + length, 0),
    0,
  )
  expect(bytesJoined).toBe(MIB)
})
