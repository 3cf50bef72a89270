/** The memory of answers: a connection with a slow client only keeps the bytes that the client has not read. */

import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { AnswerWriter } from '../../../../src/doors/rpc/answers/answer-writer.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'

const LARGE = 900 * 1024
const SMALL = 10 * 1024

/** A stream that takes all bytes at once, or none. */
function socketOf(takes: boolean, sent: ArrayBufferLike[]): Socket {
  const socket = new Socket()
  socket._write = (chunk: Buffer, _encoding, done): void => {
    sent.push(chunk.buffer)
    if (takes) done()
  }
  return socket
}

test('a small answer to a slow client gives the buffer that it was written into back', () => {
  const memory = new MemoryBudget()
  const sent: ArrayBufferLike[] = []
  const fast = new AnswerWriter(socketOf(true, sent), memory, undefined)
  const socket = socketOf(false, [])
  socket.write('what the client has not read')
  const slow = new AnswerWriter(socket, memory, undefined)
  for (let i = 0; i < 3; i++) {
    fast.encoded(Buffer.alloc(LARGE, i))
    slow.encoded(Buffer.alloc(SMALL, i))
    slow.flush()
  }
  expect(new Set(sent).size).toBe(1)
  // Only the waiting bytes are counted and kept.
  expect(memory.granted).toBe(3 * SMALL)
})
