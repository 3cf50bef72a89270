/** Payloads of SASL's frames in a queue, and replies in frames. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FRAME_BYTES_MAX, saslFrames } from '../../../../src/doors/thrift/transport/sasl-frames.ts'
import { SaslQueue } from '../../../../src/doors/thrift/transport/sasl-queue.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { testRuns } from '../../../harness/test-runs.ts'

const MIB = 1024 * 1024

interface Opened {
  readonly queue: SaslQueue
  readonly memory: MemoryBudget
  readonly reasons: string[]
}

function opened(bytesMax?: number): Opened {
  const [memory, reasons]: [MemoryBudget, string[]] = [new MemoryBudget(bytesMax), []]
  return { queue: new SaslQueue(memory, (reason) => reasons.push(reason)), memory, reasons }
}

function framed(payload: Uint8Array): Buffer {
  const frame = Buffer.alloc(4 + payload.length)
  frame.writeInt32BE(payload.length)
  frame.set(payload, 4)
  return frame
}

/** Cuts bytes into pieces of the given sizes, over and over. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = sizes[pieces.length % sizes.length]!
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

const payloads = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 12 })
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 })

test('frames of any size in pieces of any size: each byte of the payloads once and in order, even if bytes are taken in between', () => {
  fc.assert(
    fc.property(payloads, sizes, fc.array(fc.nat(30), { minLength: 1 }), (sent, cuts, takes) => {
      const { queue, memory, reasons } = opened()
      const seen: Buffer[] = []
      for (const [number, piece] of cut(Buffer.concat(sent.map(framed)), cuts).entries()) {
        queue.push(Buffer.from(piece), true)
        queue.keep()
        seen.push(Buffer.from(queue.take(Math.min(queue.length, takes[number % takes.length]!))))
      }
      seen.push(queue.take(queue.length))
      expect(Buffer.concat(seen)).toEqual(Buffer.concat(sent))
      expect([reasons, memory.granted]).toEqual([[], 0])
    }),
    { numRuns: testRuns(300) },
  )
})

test('a chunk that is refused for want of memory can be pushed again: its frames begin where they did', () => {
  fc.assert(
    fc.property(payloads, sizes, fc.array(fc.boolean(), { minLength: 1 }), (sent, cuts, isFull) => {
      // Less memory than a queue takes for the bytes that it gathers.
      const { queue } = opened(1024)
      for (const [number, piece] of cut(Buffer.concat(sent.map(framed)), cuts).entries()) {
        try {
          queue.push(piece, isFull[number % isFull.length])
        } catch {
          queue.push(piece, false)
        }
      }
      expect(Buffer.from(queue.take(queue.length))).toEqual(Buffer.concat(sent))
    }),
    { numRuns: testRuns(300) },
  )
})

test('an unwanted message is dropped from the payloads, not from the frames', () => {
  const { queue } = opened()
  queue.push(framed(Buffer.from('abc')))
  queue.skip(8)
  queue.push(framed(Buffer.from('defgh')))
  queue.push(framed(Buffer.from('later')))
  expect(queue.take(queue.length).toString()).toBe('later')
})

test('nothing is read behind a frame of negative length', () => {
  const { queue, reasons } = opened()
  queue.push(
    Buffer.concat([framed(Buffer.from('early')), Buffer.from('ffffffff', 'hex'), Buffer.from('odd')]),
  )
  queue.push(framed(Buffer.from('later')))
  expect(queue.take(queue.length).toString()).toBe('early')
  expect(reasons).toEqual(['a SASL frame of -1 bytes'])
})

const MOST = FRAME_BYTES_MAX

test.each([0, 1, 3 * MIB, MOST, MOST + 1, 2 * MOST, 2 * MOST + 5])(
  'a reply of %d bytes is in frames that clients take',
  (bytes) => {
    const payload = Buffer.alloc(bytes, Array.from({ length: 251 }, (_, number) => String(number)).join())
    const sent = Buffer.concat(saslFrames(framed(payload)))
    const { queue } = opened()
    const lengths: number[] = []
    for (let at = 0; at < sent.length; at += 4 + lengths.at(-1)!) lengths.push(sent.readInt32BE(at))
    queue.push(sent)
    expect(queue.take(queue.length).equals(payload)).toBe(true)
    // Thrift's clients refuse longer ones, and some read a value from two frames at most.
    expect(lengths).toEqual(
      [...Array<number>(Math.floor(bytes / MOST)).fill(MOST), bytes % MOST].filter(Boolean),
    )
  },
)
