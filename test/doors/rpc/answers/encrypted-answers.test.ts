/** Answers over TLS: they leave together, and their buffer is free while they are under way. */

import { once } from 'node:events'
import { type AddressInfo, Socket } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { AnswerWriter } from '../../../../src/doors/rpc/answers/answer-writer.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { Authority } from '../../../harness/certificates.ts'

const SMALL = 1000
const LARGE = 200 * 1024

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Encrypts bytes during the write, and reports them as written once `settle` is called, as a TLSSocket does. */
function encryptedSocket(written: Buffer[]): { readonly socket: Socket; readonly settle: () => void } {
  let settle: (() => void) | undefined
  const socket = Object.assign(new Socket(), { encrypted: true })
  socket._write = (chunk: Buffer, _encoding, done): void => {
    written.push(chunk)
    settle = done
  }
  socket._writev = (chunks, done): void => {
    socket._write(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), 'utf8', done)
  }
  return { socket, settle: () => settle?.() }
}

function answer(to: AnswerWriter, length: number, mark: number): Buffer {
  const bytes = Buffer.alloc(length, mark)
  to.encoded(bytes)
  to.flush()
  return bytes
}

test('answers of one turn are one record, and the next connection writes into their memory', async () => {
  const memory = new MemoryBudget()
  const written: Buffer[] = []
  const one = encryptedSocket(written)
  const writer = new AnswerWriter(one.socket, memory, undefined)
  for (let answer = 0; answer < 3; answer++) {
    writer.encoded(Buffer.alloc(SMALL, answer))
    writer.flushSoon()
    await Promise.resolve()
  }
  expect(written).toHaveLength(0)
  await turn()
  expect(written.map(({ length }) => length)).toEqual([3 * SMALL])
  expect(memory.granted).toBe(3 * SMALL)
  const other = new AnswerWriter(encryptedSocket(written).socket, memory, undefined)
  other.encoded(Buffer.alloc(SMALL))
  other.flush()
  expect(written[1]!.buffer).toBe(written[0]!.buffer)
  one.settle()
  expect(memory.granted).toBe(SMALL)
})

test('what waits behind an unsent record keeps its bytes', () => {
  const written: Buffer[] = []
  const { socket, settle } = encryptedSocket(written)
  const writer = new AnswerWriter(socket, new MemoryBudget(), undefined)
  const other = new AnswerWriter(encryptedSocket([]).socket, new MemoryBudget(), undefined)
  answer(writer, SMALL, 0)
  const waiting = [SMALL, LARGE, SMALL].map((length, index) => answer(writer, length, index + 1))
  for (const length of [SMALL, LARGE]) answer(other, length, 9)
  settle()
  expect(written[1]!.equals(Buffer.concat(waiting))).toBe(true)
  settle()
  // No bytes are under way, and none are counted.
  answer(writer, SMALL, 4)
  expect(written[2]!.length).toBe(SMALL)
})

test('a client of TLS reads the bytes of each answer, even if their memory is overwritten meanwhile', async () => {
  const issued = await (await Authority.make()).issue({ name: 'localhost', hosts: ['127.0.0.1'] })
  const server = createServer({ cert: issued.certificate, key: issued.key })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  const [socket] = (await once(server, 'secureConnection')) as [TLSSocket]
  const writer = new AnswerWriter(socket, new MemoryBudget(), undefined)
  const expected: Buffer[] = []
  for (let answer = 0; answer < 200; answer++) {
    const bytes = Buffer.alloc(answer % 20 === 0 ? LARGE : SMALL, answer)
    expected.push(bytes)
    writer.encoded(bytes)
    writer.flushSoon()
    if (answer % 3 === 0) await turn()
  }
  await turn()
  socket.end()
  const received: Buffer[] = []
  for await (const chunk of client) received.push(chunk as Buffer)
  expect(Buffer.concat(received).equals(Buffer.concat(expected))).toBe(true)
  server.close()
})
