import { afterEach, describe, expect, test } from 'vitest'
import { CallMemory } from '../../../../src/doors/thrift/transport/call-memory.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { NoRoom } from '../../../../src/gateway/limits/memory-line.ts'
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

async function answersStill(): Promise<void> {
  const other = await RawClient.open(server.port)
  other.send(add)
  expect((await other.replies(1))[0]!.fields.get(0)).toBe(2n)
  other.socket.destroy()
}

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
    expect(refused!.fields.get(1)).toContain('of 1000000 bytes for all requests')
    expect(sum!.fields.get(0)).toBe(2n)
    expect(memory.granted).toBe(0)
  })

  test('without a frame is answered, dropped, and the connection goes on', async () => {
    const client = await open(1_000_000)
    await sendInPieces(client, large)
    client.send(add)
    const [refused, sum] = await client.replies(2)
    expect(refused!.fields.get(1)).toContain('of 1000000 bytes for all requests')
    expect(sum!.fields.get(0)).toBe(2n)
    // The client can avoid this, so that it is no warning for the operator.
    expect(server.logged).toEqual([])
    expect(memory.granted).toBe(0)
  })

  test.each([
    ['in a frame', true],
    ['without a frame', false],
  ])('%s waits until others give memory back', async (_, isFramed) => {
    const client = await open(5_000_000)
    const wrapped = isFramed ? framed(large) : large
    memory.note(4_900_000)
    await sendInPieces(client, wrapped)
    client.send(isFramed ? framed(add) : add)
    await answersStill()
    await expect.poll(() => memory.isWaitedFor).toBe(true)
    expect(client.received).toHaveLength(0)
    memory.give(4_900_000)
    const [echoed, sum] = await client.replies(2, 'binary', isFramed)
    expect([echoed!.type, echoed!.fields.get(1)]).toEqual([2, undefined])
    expect(sum!.fields.get(0)).toBe(2n)
    expect(memory.refused).toBe(0)
    await expect.poll(() => memory.granted).toBe(0)
  })
})

test('the reply of a call that has run does not wait for the memory of the next one', async () => {
  const client = await open(5_000_000)
  memory.note(4_999_000)
  client.send(Buffer.concat([add, large.subarray(0, 1_000_000)]))
  expect((await client.replies(1))[0]!.fields.get(0)).toBe(2n)
  await expect.poll(() => memory.isWaitedFor).toBe(true)
  memory.give(4_999_000)
})

test('a connection that ends amid a message gives its memory back', async () => {
  const client = await open(100_000_000)
  client.send(framed(large).subarray(0, 1_000_000))
  await expect.poll(() => memory.granted).toBeGreaterThan(900_000)
  client.socket.destroy()
  await expect.poll(() => memory.granted).toBe(0)
})

test('where slow readers have taken all memory, calls wait until some is given back', async () => {
  const client = await open(1_000_000)
  memory.noteStanding(1_000_001)
  client.send(add)
  await expect.poll(() => memory.isWaitedFor).toBe(true)
  expect(client.received).toHaveLength(0)
  memory.giveStanding(1)
  expect((await client.replies(1))[0]!.fields.get(0)).toBe(2n)
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

test('over HTTP the answer is the exception of the call, and the connection goes on', async () => {
  const client = await open(1_000_000)
  for (const message of [large, add]) {
    client.send(`POST / HTTP/1.1\r\nhost: h\r\ncontent-length: ${message.length}\r\n\r\n`)
    await sendInPieces(client, message)
  }
  await expect.poll(() => client.received.toString('latin1').match(/HTTP\/1.1 200/g)).toHaveLength(2)
  expect(client.received.toString('latin1')).toContain('of 1000000 bytes for all requests')
  await expect.poll(() => memory.granted).toBe(0)
})

test('a client that ends its side amid a message while it waits leaves the line at once', async () => {
  const client = await open(5_000_000)
  memory.noteStanding(4_000_000)
  memory.note(1_000_000)
  client.send(framed(large).subarray(0, 10_000))
  await expect.poll(() => memory.isWaitedFor).toBe(true)
  client.socket.end()
  await expect.poll(() => memory.isWaitedFor).toBe(false)
  expect([memory.granted, memory.refused]).toEqual([5_000_000, 0])
})

test('a whole call that waits leaves the line once its client has gone', async () => {
  const budget = new MemoryBudget(1_000_000)
  budget.note(900_000)
  const gone = new AbortController()
  const call = new CallMemory(budget)
  const message = Buffer.alloc(70_000)
  const room = call.beginOnceRoom(message, new NoRoom(140_000, 'no room'), gone.signal)
  expect([budget.isWaitedFor, budget.granted]).toEqual([true, 970_000])
  gone.abort()
  expect([await room, budget.isWaitedFor, budget.granted]).toEqual(['gone', false, 900_000])
})
