import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PendingCall } from '../../../../adapters/hbase/rpc/pending-call.ts'
import { RequestQueue } from '../../../../adapters/hbase/rpc/request-queue.ts'
import { readRequest } from '../../../../src/wire/rpc/request-frame.ts'
import type { RpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'

const BYTES: RpcMethod<number, never> = {
  service: 'S',
  name: 'M',
  encode(request, writer) {
    if (request < 0) throw new Error('not encodable')
    writer.raw(Buffer.alloc(request))
  },
  decode() {
    throw new Error('nothing is read here')
  },
}

const nothing = (): void => undefined

function pendingCall(id: number): PendingCall {
  return new PendingCall(id, BYTES, 0, undefined, nothing, nothing, nothing)
}

/** The call ids of frames that stand one after the other. */
function idsOf(frames: Buffer): number[] {
  const ids: number[] = []
  for (let at = 0; at < frames.length; ) {
    const end = at + 4 + frames.readInt32BE(at)
    ids.push(readRequest(frames, at + 4, end).callId)
    at = end
  }
  return ids
}

const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add'), n: fc.integer({ min: -1, max: 30_000 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('drop'), n: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('take'), n: fc.integer({ min: 1, max: 100_000 }) }) },
)

test('every request leaves once and in order, unless it was withdrawn before', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 100 }), (steps) => {
      const queue = new RequestQueue()
      const all: PendingCall[] = []
      const sent: number[] = []
      let expected: number[] = []
      for (const { kind, n } of steps) {
        if (kind === 'add' && n < 0) {
          expect(() => queue.add(pendingCall(0), { callId: 0, method: 'M' }, n, [])).toThrow('not encodable')
        } else if (kind === 'add') {
          const call = pendingCall(all.length + 1)
          all.push(call)
          expected.push(call.id)
          queue.add(call, { callId: call.id, method: 'M' }, n, [])
        } else if (kind === 'drop' && all.length > 0) {
          const call = all[n % all.length]!
          if (call.waiting) expected = expected.filter((id) => id !== call.id)
          queue.drop(call)
        } else if (kind === 'take') sent.push(...idsOf(queue.take(n) ?? Buffer.alloc(0)))
        expect(all.filter((call) => call.waiting).map(({ id }) => id)).toEqual(expected.slice(sent.length))
      }
      for (let last = queue.take(50_000); last !== undefined; last = queue.take(50_000))
        sent.push(...idsOf(last))
      expect(sent).toEqual(expected)
      expect(queue.bytes).toBe(0)
    }),
  )
})
