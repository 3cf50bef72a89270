import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SaslStream } from '../../../../src/doors/thrift/transport/sasl-stream.ts'

/** As much of a socket as a stream asks for. */
class StandIn extends EventEmitter {
  readonly written: Buffer[] = []
  isPaused = false
  isDestroyed = false

  write(bytes: Buffer): boolean {
    this.written.push(Buffer.from(bytes))
    return true
  }

  cork(): void {}
  uncork(): void {}

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  destroy(): void {
    this.isDestroyed = true
  }
}

function opened(rest: Buffer = Buffer.alloc(0)): { socket: StandIn; stream: SaslStream } {
  const socket = new StandIn()
  return { socket, stream: new SaslStream(socket as unknown as Socket, rest) }
}

function framed(bytes: Uint8Array): Buffer {
  const frame = Buffer.alloc(4 + bytes.length)
  frame.writeInt32BE(bytes.length)
  frame.set(bytes, 4)
  return frame
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('frames of any size, in pieces of any size, to listeners that pause: each byte once and in order, and then the end', async () => {
  const judged = fc.asyncProperty(
    fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 12 }),
    fc.array(fc.nat(9), { maxLength: 30 }),
    fc.array(fc.boolean(), { maxLength: 30 }),
    fc.nat(8),
    async (payloads, cuts, pauses, restBytes) => {
      const all = Buffer.concat(payloads.map(framed))
      const { socket, stream } = opened(all.subarray(0, restBytes))
      const [seen, ends]: [Buffer[], string[]] = [[], []]
      let turn = 0
      stream.on('data', (piece: Buffer) => {
        seen.push(Buffer.from(piece))
        if (pauses[turn++ % Math.max(1, pauses.length)] === true) stream.pause()
      })
      stream.on('end', () => ends.push('end'))
      for (let at = restBytes, cut = 0; at < all.length; cut++) {
        const bytes = 1 + (cuts[cut % Math.max(1, cuts.length)] ?? 3)
        socket.emit('data', all.subarray(at, at + bytes))
        at += bytes
        if (cut % 3 === 0) stream.resume()
      }
      socket.emit('end')
      await nextTick()
      for (let again = 0; again < 40; again++) stream.resume()
      expect(Buffer.concat(seen)).toEqual(Buffer.concat(payloads))
      expect([ends, socket.isDestroyed, socket.isPaused]).toEqual([['end'], false, false])
    },
  )
  await fc.assert(judged)
})

test('what comes before anybody listens is kept, and a negative length ends the connection', async () => {
  const { socket, stream } = opened(framed(Buffer.from('early')))
  const seen: string[] = []
  stream.on('data', (piece: Buffer) => seen.push(piece.toString()))
  await nextTick()
  socket.emit('data', Buffer.concat([framed(Buffer.from('later')), Buffer.from('ffffffff', 'hex')]))
  expect([seen, socket.isDestroyed]).toEqual([['early', 'later'], true])
})

test.each([0, 1, 16 * 1024, 16 * 1024 + 1, 1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024])(
  'a reply of %d bytes is in frames that clients take',
  (bytes) => {
    const { socket, stream } = opened()
    const reply = Buffer.alloc(bytes, 'x')
    stream.write(reply)
    const sent = Buffer.concat(socket.written)
    const parts: Buffer[] = []
    for (let at = 0; at < sent.length; ) {
      const end = at + 4 + sent.readInt32BE(at)
      parts.push(sent.subarray(at + 4, end))
      at = end
    }
    expect(Buffer.concat(parts).equals(reply)).toBe(true)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024)
  },
)
