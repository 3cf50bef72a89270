import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CryptoAesLayer, newCryptoAesKeys } from '../../../src/wire/rpc/crypto-aes.ts'
import { FrameReader } from '../../../src/wire/rpc/frame-reader.ts'
import { FrameTooLarge } from '../../../src/wire/rpc/frame-too-large.ts'
import { WrappedReader, wrapInPieces } from '../../../src/wire/rpc/wrapped-frames.ts'
import type { SaslLayer } from '../../../src/wire/sasl/sasl.ts'
import { anyBytes } from '../../model/arbitrary-cells.ts'

function bothSides(): [CryptoAesLayer, CryptoAesLayer] {
  const keys = newCryptoAesKeys()
  const { inKey: outKey, inIv: outIv, outKey: inKey, outIv: inIv } = keys
  return [new CryptoAesLayer(keys), new CryptoAesLayer({ inKey, inIv, outKey, outIv })]
}

function framed(frame: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(frame.length)
  return Buffer.concat([length, frame])
}

/** The frames that a reader gets out of protected bytes, received in chunks of that many bytes. */
function framesOf(layer: SaslLayer, bytes: Buffer, chunkBytes: number, bytesMax = 2 ** 30): Buffer[] {
  const got: Buffer[] = []
  const reader = new WrappedReader(layer, bytesMax, (buffer, start, end) =>
    got.push(Buffer.from(buffer.subarray(start, end))),
  )
  const tokens = new FrameReader(2 ** 30, (buffer, start, end, release) => {
    reader.take(buffer.subarray(start, end))
    release?.()
  })
  for (let at = 0; at < bytes.length; at += chunkBytes) tokens.push(bytes.subarray(at, at + chunkBytes))
  return got
}

test('frames come out as they went in, however they share protected messages', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyBytes(0, 500), { minLength: 1 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 1, max: 2000 }),
      (turns, messageBytesMax, chunkBytes) => {
        const [sender, receiver] = bothSides()
        const layer = { protection: 'privacy' as const, messageBytesMax } satisfies Partial<SaslLayer>
        const limited: SaslLayer = {
          ...layer,
          wrap: (message) => {
            expect(message.length).toBeLessThanOrEqual(messageBytesMax)
            return sender.wrap(message)
          },
          unwrap: (token) => sender.unwrap(token),
        }
        const sent = turns.flatMap((frames) => [...wrapInPieces(limited, Buffer.concat(frames.map(framed)))])
        const bytes = Buffer.concat(sent.flatMap(({ length, token }) => [length, token]))
        expect(framesOf(receiver, bytes, chunkBytes)).toEqual(turns.flat())
      },
    ),
    { numRuns: 100 },
  )
})

test('a frame of megabytes goes in pieces of at most 64 KiB', () => {
  const [sender, receiver] = bothSides()
  const frame = Buffer.alloc(3_000_000, 'x')
  const pieces = [...wrapInPieces(sender, framed(frame))]
  expect(Math.max(...pieces.map(({ token }) => token.length))).toBeLessThan(65 * 1024)
  const bytes = Buffer.concat(pieces.flatMap(({ length, token }) => [length, token]))
  expect(framesOf(receiver, bytes, 100_000)[0]!.equals(frame)).toBe(true)
})

/** Takes the beginning of a frame of that length, where the limit is 1000 bytes. */
function takeLength(length: number): void {
  const [sender, receiver] = bothSides()
  const head = Buffer.alloc(4)
  head.writeInt32BE(length)
  const [piece] = wrapInPieces(sender, head)
  framesOf(receiver, Buffer.concat([piece!.length, piece!.token]), 100, 1000)
}

test('a frame above the limit, or of a negative length, is refused', () => {
  expect(() => takeLength(1001)).toThrow(FrameTooLarge)
  expect(() => takeLength(-1)).toThrow(FrameTooLarge)
  takeLength(1000)
})
