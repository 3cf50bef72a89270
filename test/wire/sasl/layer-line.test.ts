import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LayerLine } from '../../../src/wire/sasl/layer-line.ts'
import { SaslFailure } from '../../../src/wire/sasl/sasl.ts'
import { FakeLayer } from '../../harness/fake-kerberos.ts'
import { SlowLayer } from '../../harness/slow-layer.ts'

const LARGE = 100

function layerOf(sends: number): FakeLayer {
  return new FakeLayer('privacy', sends, undefined)
}

test('messages of both directions are done one after the other, in their order', async () => {
  const message = fc.record({ isOwn: fc.boolean(), length: fc.integer({ min: 0, max: 2 * LARGE }) })
  const pauses = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 30 }), pauses, async (messages, turns) => {
      const [slow, peer] = [new SlowLayer(layerOf(1), LARGE), layerOf(0)]
      slow.pause = async () => {
        for (let turn = turns[slow.count % turns.length]!; turn > 0; turn--) await new Promise(setImmediate)
      }
      const line = new LayerLine(slow)
      const done: number[] = []
      const results = messages.map(async ({ isOwn, length }, number) => {
        const bytes = Buffer.alloc(length, number)
        const result = isOwn ? line.wrap(bytes) : line.unwrap(peer.wrap(bytes))
        expect(result instanceof Promise).toBe(slow.isBusy)
        const made = await result
        done.push(number)
        return [isOwn, bytes, made] as const
      })
      const made = await Promise.all(results)
      for (const [isOwn, bytes, result] of made)
        expect((isOwn ? peer.unwrap(result) : result).equals(bytes)).toBe(true)
      expect(done).toEqual(messages.map((_, number) => number))
      expect(line.atOnceBytesMax).toBe(LARGE - 1)
    }),
    { numRuns: 100 },
  )
})

test('a message that fails does not keep those behind it', async () => {
  const line = new LayerLine(new SlowLayer(layerOf(1), LARGE))
  const broken = line.unwrap(Buffer.alloc(LARGE))
  const behind = [line.wrap(Buffer.from('a')), line.wrap(Buffer.alloc(LARGE, 'b'))]
  expect(line.atOnceBytesMax).toBe(0)
  await expect(broken).rejects.toThrow(SaslFailure)
  const peer = layerOf(0)
  const read = (await Promise.all(behind.map(async (token) => token))).map((token) =>
    peer.unwrap(token).toString(),
  )
  expect(read).toEqual(['a', 'b'.repeat(LARGE)])
})

test('a layer without large messages does all at once', () => {
  const line = new LayerLine(layerOf(1))
  expect(line.wrap(Buffer.alloc(1_000_000))).toBeInstanceOf(Buffer)
  expect(() => line.unwrap(Buffer.alloc(1_000_000))).toThrow(SaslFailure)
  expect(line.atOnceBytesMax).toBe(Number.POSITIVE_INFINITY)
})
