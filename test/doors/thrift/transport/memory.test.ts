import { afterEach, describe, expect, test } from 'vitest'
import { MemoryBudget } from '../../../../src/gateway/memory-budget.ts'
import { callBytes, framed, RawClient } from './raw-client.ts'
import { startToyServer, type ToyServer } from './toy-services.ts'

let server: ToyServer
let memory: MemoryBudget
const clients: RawClient[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy()
  await server.listener.close()
})

async function open(bytesMax: number): Promise<RawClient> {
  memory = new MemoryBudget(bytesMax)
  server = await startToyServer({ memory })
  const client = await RawClient.open(server.port)
  clients.push(client)
  return client
}

const APPLICATION_EXCEPTION = 3
const add = callBytes('binary', 'add', { left: 1n, right: 1n })
const large = callBytes('binary', 'echo', { value: Buffer.alloc(2_000_000) })

/** Sends a message in pieces, as a network brings it. */
async function sendInPieces(client: RawClient, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += 50_000) {
    client.send(bytes.subarray(at, at + 50_000))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a message without memory for it', () => {
  test('in a frame is answered, dropped, and the connection goes on', async () => {
    const client = await open(1_000_000)
    await sendInPieces(client, framed(large))
    client.send(framed(add))
    const [refused, sum] = await client.replies(2, 'binary', true)
    expect(refused).toMatchObject({ method: 'echo', type: APPLICATION_EXCEPTION })
    expect(refused!.fields.get(1)).toContain('no memory for a Thrift message')
    expect(sum!.fields.get(0)).toBe(2n)
    expect(memory.granted).toBe(0)
  })

  test('without a frame is answered, and ends the connection', async () => {
    const client = await open(1_000_000)
    await sendInPieces(client, large)
    await client.closed()
    expect(client.received.toString('latin1')).toContain('no memory for a Thrift message')
    expect(server.logged.join()).toMatch(
      /^Thrift: requests fail with OVERLOADED: no memory for a Thrift message.*docs\/limits\.md/,
    )
    expect(memory.granted).toBe(0)
  })
})

test('a connection that ends amid a message gives its memory back', async () => {
  const client = await open(100_000_000)
  client.send(framed(large).subarray(0, 1_000_000))
  await expect.poll(() => memory.granted).toBeGreaterThan(900_000)
  client.socket.destroy()
  await expect.poll(() => memory.granted).toBe(0)
})

test('where slow readers have taken all memory, calls are refused until some is given back', async () => {
  const client = await open(1_000_000)
  memory.note(1_000_001)
  client.send(add)
  expect((await client.replies(1))[0]!.fields.get(1)).toContain('no memory for another call')
  memory.give(1)
  client.send(add)
  expect((await client.replies(2))[1]!.fields.get(0)).toBe(2n)
})

test('the replies of a slow reader count until it has read them', { timeout: 70_000 }, async () => {
  const client = await open(400_000_000)
  client.socket.pause()
  const value = Buffer.alloc(20_000_000)
  client.send(callBytes('binary', 'echo', { value }))
  await expect.poll(() => memory.granted, { timeout: 30_000 }).toBeGreaterThanOrEqual(value.length)
  client.socket.resume()
  await expect.poll(() => memory.granted, { timeout: 30_000 }).toBe(0)
})

test('over HTTP the answer is 503 for now', async () => {
  const client = await open(1_000_000)
  client.send(`POST / HTTP/1.1\r\nhost: h\r\ncontent-length: ${large.length}\r\n\r\n`)
  await sendInPieces(client, large)
  await client.closed()
  const answer = client.received.toString('latin1')
  expect(answer).toContain('HTTP/1.1 503')
  expect(answer.toLowerCase()).toContain('retry-after: 1')
  await expect.poll(() => memory.granted).toBe(0)
})
