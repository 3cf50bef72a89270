import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AnswerWriter } from '../../../../src/doors/rpc/answers/answer-writer.ts'
import { AT_ONCE_BYTES_MAX } from '../../../../src/doors/rpc/answers/client-output.ts'
import { ProtectedOutput } from '../../../../src/doors/rpc/transport/protected-output.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { LayerLine } from '../../../../src/wire/sasl/layer-line.ts'
import { FAKE_OVERHEAD, FakeLayer } from '../../../harness/fake-kerberos.ts'

const MIB = 1024 * 1024

let memory: MemoryBudget
let client: Socket
let served: Socket
let output: ProtectedOutput
let drained: number
let failures: unknown[]
let close: () => void

beforeEach(async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  ;[served] = (await once(server, 'connection')) as [Socket]
  served.on('error', () => undefined)
  memory = new MemoryBudget()
  drained = 0
  failures = []
  output = new ProtectedOutput(served, new LayerLine(new FakeLayer('privacy', 1, undefined)), memory, {
    drained: () => drained++,
    failed: (error) => failures.push(error),
  })
  close = () => {
    client.destroy()
    served.destroy()
    server.close()
  }
})

afterEach(() => close())

/** All bytes that the client gets until the server ends the connection. */
async function readAll(layer = new FakeLayer('privacy', 0, undefined)): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of client) chunks.push(chunk as Buffer)
  const all = Buffer.concat(chunks)
  const messages: Buffer[] = []
  for (let at = 0; at < all.length; ) {
    const end = at + 4 + all.readInt32BE(at)
    messages.push(layer.unwrap(all.subarray(at + 4, end)))
    at = end
  }
  return Buffer.concat(messages)
}

function bytesOf(length: number, first: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at++) bytes[at] = first + at * 7
  return bytes
}

test('small and large writes come in their order, and their memory is given back', async () => {
  const writes = [10, 5 * MIB, 1, 300_000, 3 * MIB].map((length, index) => bytesOf(length, index))
  const sent: number[] = []
  for (const [index, bytes] of writes.entries()) output.write(bytes, () => sent.push(index))
  output.end(Buffer.from('the end'))
  expect(output.writable).toBe(false)
  const read = await readAll()
  expect(read.equals(Buffer.concat([...writes, Buffer.from('the end')]))).toBe(true)
  expect(sent).toEqual([0, 1, 2, 3, 4])
  await expect.poll(() => memory.granted).toBe(0)
})

test('a client that does not read has no more than a part of a large answer in tokens', async () => {
  client.pause()
  output.write(bytesOf(20 * MIB, 1))
  await once(served, 'drain', { signal: AbortSignal.timeout(200) }).catch(() => undefined)
  expect(served.writableLength).toBeLessThan(2 * MIB)
  expect(memory.granted).toBeLessThan(4 * MIB)
  expect(output.writableLength).toBeGreaterThan(8 * MIB)
  const read = readAll()
  output.end()
  expect((await read).length).toBe(20 * MIB)
})

test('writes of up to a MiB are wrapped at once, where nothing waits', () => {
  let isSent = false
  output.write(Buffer.alloc(AT_ONCE_BYTES_MAX), () => {
    isSent = true
  })
  expect(isSent).toBe(true)
})

test('an event follows the last part of what waited', async () => {
  output.write(bytesOf(10 * MIB, 1))
  const read = readAll()
  await expect.poll(() => drained).toBeGreaterThan(0)
  output.end()
  await read
})

test('no message is larger than the client’s buffer', async () => {
  output.line = new LayerLine(new FakeLayer('privacy', 1, 1000))
  output.write(bytesOf(50_000, 1))
  output.end()
  const chunks: Buffer[] = []
  for await (const chunk of client) chunks.push(chunk as Buffer)
  const all = Buffer.concat(chunks)
  const lengths: number[] = []
  for (let at = 0; at < all.length; at += 4 + lengths.at(-1)!) lengths.push(all.readInt32BE(at))
  expect(Math.max(...lengths)).toBe(1000)
})

test('the memory of writes that a connection never sends is given back', async () => {
  client.pause()
  let sent = 0
  for (let write = 0; write < 3; write++) output.write(bytesOf(30 * MIB, write), () => sent++)
  served.destroy()
  await once(served, 'close')
  await expect.poll(() => sent).toBe(3)
  await expect.poll(() => memory.granted).toBe(0)
  output.write(Buffer.alloc(1), () => sent++)
  expect(sent).toBe(4)
})

test('a layer that fails ends the connection', () => {
  output.line = new LayerLine({
    protection: 'privacy',
    wrap: () => {
      throw new Error('the ticket has ended')
    },
    unwrap: (token) => token,
  })
  output.write(Buffer.alloc(1))
  expect(failures).toEqual([expect.objectContaining({ message: 'the ticket has ended' })])
})

test('answers written together share one message, and their buffer is used again', async () => {
  const writer = new AnswerWriter(output, memory, undefined)
  const answers = Array.from({ length: 20 }, (_, index) => bytesOf(1000 + index, index))
  for (const answer of answers) {
    writer.encoded(answer)
    writer.flushSoon()
    await Promise.resolve()
  }
  await new Promise((resolve) => setImmediate(resolve))
  const large = answers.map((_, index) => bytesOf(40_000, index + 100))
  for (const answer of large) {
    writer.encoded(answer)
    writer.flush()
  }
  output.end()
  const read = await readAll()
  expect(read.equals(Buffer.concat([...answers, ...large]))).toBe(true)
})

test('a client whose stated buffer has no room for a message is failed, instead of empty messages without end', async () => {
  output.line = new LayerLine(new FakeLayer('privacy', 1, FAKE_OVERHEAD))
  let sent = 0
  output.write(bytesOf(100, 1), () => sent++)
  expect(failures).toEqual([
    expect.objectContaining({ message: 'the client has no room for protected messages' }),
  ])
  expect(sent).toBe(1)
  expect(memory.granted).toBe(0)
})
