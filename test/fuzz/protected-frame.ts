/** The protected frames of a Thrift client that has logged in by SASL GSSAPI. */

import { protectedFrame as frameOf } from '../../src/doors/thrift/transport/protected-frame.ts'
import { ProtectedQueue } from '../../src/doors/thrift/transport/protected-queue.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import { LayerLine } from '../../src/wire/sasl/layer-line.ts'
import { SaslFailure } from '../../src/wire/sasl/sasl.ts'
import { FakeLayer } from '../harness/fake-kerberos.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { LIMITS } from './limits.ts'

const PIECES = 5

function seeds(): Buffer[] {
  return (['integrity', 'privacy'] as const).flatMap((protection) => {
    const layer = new FakeLayer(protection, 0, 2048)
    const messages = [Buffer.from('a message'), Buffer.alloc(5000, 'long'), Buffer.of(7)]
    const frames = messages.map((message) => frameOf(layer.wrap(message)))
    return [Buffer.concat(frames.flatMap(({ length, token }) => [length, token]))]
  })
}

export const protectedFrame: FuzzTarget = {
  name: 'protected-frame',
  seeds,
  run: (input) => {
    const memory = new MemoryBudget()
    return (['integrity', 'privacy'] as const).map((protection) => {
      const line = new LayerLine(new FakeLayer(protection, 1, undefined))
      const broken: string[] = []
      const malformed = (reason: string): void => void broken.push(reason)
      const queue = new ProtectedQueue({ memory, line, messageBytesMax: LIMITS.requestBytesMax, malformed })
      const step = Math.max(1, Math.ceil(input.length / PIECES))
      for (let at = 0; at < input.length; at += step) queue.push(input.subarray(at, at + step))
      const read = Buffer.from(queue.take(queue.length))
      queue.clear()
      if (memory.granted !== 0) throw new Error(`${memory.granted} bytes of memory are not given back`)
      if (broken.length > 1) throw new Error('a broken stream is read on')
      return [read, broken]
    })
  },
  isRefusal: (error) => error instanceof SaslFailure,
}
