import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReceivedFrames } from '../../../../src/doors/rpc/transport/received-frames.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { NoRoom } from '../../../../src/gateway/limits/memory-line.ts'
import { LayerLine } from '../../../../src/wire/sasl/layer-line.ts'
import { FakeLayer } from '../../../harness/fake-kerberos.ts'
import { behindLength } from '../../../harness/sasl-talk.ts'

const LIMIT = 1_000_000

function protectedFrames(memory: MemoryBudget): { frames: ReceivedFrames; client: FakeLayer } {
  const frames = new ReceivedFrames(memory, LIMIT, () => undefined)
  frames.protect(new LayerLine(new FakeLayer('privacy', 1, undefined)), LIMIT)
  return { frames, client: new FakeLayer('privacy', 0, undefined) }
}

/** The bytes as protected messages of these lengths, the last one again and again. */
function messagesOf(client: FakeLayer, bytes: Buffer, lengths: readonly number[]): Buffer {
  const messages: Buffer[] = []
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const end = at + lengths[Math.min(index, lengths.length - 1)]!
    messages.push(behindLength(client.wrap(bytes.subarray(at, end))))
    at = end
  }
  return Buffer.concat(messages)
}

test('frames are the same however they are cut into messages, and messages into chunks', () => {
  const cut = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 })
  const sent = fc.array(fc.uint8Array({ maxLength: 4000 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(sent, cut, cut, (wanted, messages, chunks) => {
      const memory = new MemoryBudget()
      const { frames, client } = protectedFrames(memory)
      const stream = Buffer.concat(wanted.map((frame) => behindLength(Buffer.from(frame))))
      const bytes = messagesOf(client, stream, messages)
      const found: Buffer[] = []
      for (let at = 0, index = 0; at < bytes.length; index++) {
        const end = at + chunks[Math.min(index, chunks.length - 1)]!
        frames.push(Buffer.from(bytes.subarray(at, end)))
        for (let frame = frames.next(true); frame !== undefined; frame = frames.next(true)) found.push(frame)
        frames.keep()
        at = end
      }
      expect(found.map((frame) => [...frame])).toEqual(wanted.map((frame) => [...frame]))
      expect([frames.length, memory.granted]).toEqual([0, 0])
    }),
    { numRuns: 200 },
  )
})

test('bytes that came behind the login are messages', () => {
  const frames = new ReceivedFrames(new MemoryBudget(), LIMIT, () => undefined)
  const client = new FakeLayer('integrity', 0, undefined)
  frames.push(
    Buffer.concat([
      behindLength(Buffer.from('login')),
      behindLength(client.wrap(behindLength(Buffer.from('a')))),
    ]),
  )
  expect(frames.next(false)?.toString()).toBe('login')
  frames.protect(new LayerLine(new FakeLayer('integrity', 1, undefined)), LIMIT)
  expect(frames.next(false)?.toString()).toBe('a')
})

test.each([
  ['in clear', () => behindLength(Buffer.from('in clear, and long enough'))],
  [
    'of the other direction',
    () => behindLength(new FakeLayer('privacy', 1, undefined).wrap(Buffer.from('x'))),
  ],
  ['that is too short', () => behindLength(Buffer.alloc(3))],
  ['of a negative length', () => Buffer.from('ffffffff00', 'hex')],
  ['that is too long', () => Buffer.from('7fffffff00', 'hex')],
])('a message %s ends the connection', (_, made) => {
  const { frames } = protectedFrames(new MemoryBudget())
  frames.push(made())
  expect(() => frames.next(true)).toThrow('not protected as the login has agreed (privacy)')
})

test('a message is not taken twice', () => {
  const { frames, client } = protectedFrames(new MemoryBudget())
  const message = messagesOf(client, behindLength(Buffer.from('once')), [100])
  frames.push(Buffer.concat([message, message]))
  expect(frames.next(true)?.toString()).toBe('once')
  expect(() => frames.next(true)).toThrow('out of order')
})

test('a frame of many messages has memory of the budget, waits for it, and goes on where it stopped', () => {
  const memory = new MemoryBudget(1_000_000)
  const { frames, client } = protectedFrames(memory)
  const frame = Buffer.alloc(200_000, 5)
  const bytes = messagesOf(client, behindLength(frame), [20_000])
  memory.note(700_000)
  frames.push(bytes)
  expect(() => frames.next(true)).toThrow(NoRoom)
  const held = memory.granted
  expect(() => frames.next(true)).toThrow(NoRoom)
  expect(memory.granted).toBe(held)
  memory.give(700_000)
  expect(frames.next(true)?.equals(frame)).toBe(true)
  expect(memory.granted).toBe(0)
})

test('a refused frame of many messages is dropped as a whole, and the next one is read', () => {
  const memory = new MemoryBudget(1_000_000)
  const { frames, client } = protectedFrames(memory)
  const stream = Buffer.concat([behindLength(Buffer.alloc(200_000, 5)), behindLength(Buffer.from('next'))])
  memory.note(700_000)
  frames.push(messagesOf(client, stream, [20_000]))
  expect(() => frames.next(true)).toThrow(NoRoom)
  expect(frames.skip()?.[0]).toBe(5)
  expect(frames.next(true)?.toString()).toBe('next')
  memory.give(700_000)
  expect(memory.granted).toBe(0)
})

test('a message without memory cannot be refused by its call', () => {
  const memory = new MemoryBudget(1_000_000)
  const { frames, client } = protectedFrames(memory)
  const message = messagesOf(client, behindLength(Buffer.alloc(300_000)), [400_000])
  frames.push(message.subarray(0, 100_000))
  expect(frames.next(true)).toBeUndefined()
  memory.note(1_000_000)
  expect(() => frames.keep()).toThrow(NoRoom)
  expect(frames.skip()).toBeUndefined()
})

test('what is left at the end gives its memory back', () => {
  const memory = new MemoryBudget(1_000_000)
  const { frames, client } = protectedFrames(memory)
  memory.note(700_000)
  frames.push(messagesOf(client, behindLength(Buffer.alloc(200_000)), [20_000]))
  expect(() => frames.next(true)).toThrow(NoRoom)
  frames.clear()
  expect(memory.granted).toBe(700_000)
})
