/** Large protected messages at the Thrift door: other clients are served while one is read or made. */

import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import type { SaslLayer } from '../../../../src/wire/sasl/sasl.ts'
import { FakeService, fakeLogins } from '../../../harness/fake-kerberos.ts'
import { SlowLayer } from '../../../harness/slow-layer.ts'
import { GssapiClient } from './gssapi-client.ts'
import { callBytes } from './raw-client.ts'
import { startToyServer, type ToyServer } from './toy-services.ts'

const LARGE = 100_000
const VALUE = Buffer.alloc(1_000_000, 'a large value ')

/** Bytes of a reply without its value. */
const REPLY_BYTES = 24

let server: ToyServer
let service: FakeService
let memory: MemoryBudget
let layers: SlowLayer[]
const clients: GssapiClient[] = []

beforeEach(async () => {
  layers = []
  service = new FakeService()
  service.layerOf = (layer: SaslLayer) => {
    const slow = new SlowLayer(layer, LARGE)
    layers.push(slow)
    return slow
  }
  memory = new MemoryBudget()
  const guard = new Guard({ certificates: false }, pino({ level: 'silent' }), {
    kerberos: fakeLogins(service, ['privacy']),
  })
  const handlers = { echo: async ({ value }: { value: Buffer }) => value }
  server = await startToyServer({ guard, memory, handlers })
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await expect.poll(() => [service.open, memory.granted]).toEqual([0, 0])
  await server.listener.close()
})

async function open(): Promise<{ readonly client: GssapiClient; readonly layer: SlowLayer }> {
  const client = await GssapiClient.open(server.port, { principal: 'alice@TEST' }, ['privacy'])
  clients.push(client)
  return { client, layer: layers.at(-1)! }
}

function echo(value: Buffer | string): Buffer {
  return callBytes('binary', 'echo', { value: Buffer.from(value as string) })
}

/** The places of texts in the replies, once so many bytes have come. */
async function places(client: GssapiClient, texts: readonly string[], bytes: number): Promise<number[]> {
  const replies = await client.payload(bytes)
  return texts.map((text) => replies.indexOf(text))
}

test('come whole, behind and before small ones', async () => {
  const { client, layer } = await open()
  // The first message of a connection shows its dialect.
  for (const value of [VALUE, 'first', VALUE, 'second', 'third', VALUE])
    client.raw.send(client.frame(echo(value)))
  client.raw.send(client.frame(Buffer.concat([echo('fourth'), echo(VALUE), echo('fifth')])))
  const found = await places(
    client,
    ['first', 'second', 'third', 'fourth', 'fifth'],
    4 * VALUE.length + 9 * REPLY_BYTES + 27,
  )
  expect(found).not.toContain(-1)
  expect(found).toEqual([...found].sort((a, b) => a - b))
  expect(layer.count).toBeGreaterThanOrEqual(8)
})

test('let other clients be served while they are read, and what is behind them waits', async () => {
  const [{ client, layer }, { client: other }] = [await open(), await open()]
  const release = layer.hold()
  client.raw.send(Buffer.concat([client.frame(echo(VALUE)), client.frame(echo('behind'))]))
  await expect.poll(() => layer.isBusy).toBe(true)
  for (let request = 0; request < 10; request++) client.raw.send(client.frame(echo(VALUE)))
  for (let turn = 1; turn <= 10; turn++) {
    other.raw.send(other.frame(echo('other')))
    await other.payload(turn * REPLY_BYTES)
  }
  expect(client.raw.received.includes('behind')).toBe(false)
  expect(memory.granted).toBeGreaterThanOrEqual(2 * VALUE.length)
  expect(memory.granted).toBeLessThan(4 * VALUE.length)
  release()
  const [behind] = await places(client, ['behind'], 11 * VALUE.length)
  expect(behind).toBeGreaterThan(VALUE.length)
})

test('of a connection that ends meanwhile free their memory afterwards, as requests and as replies', async () => {
  const asked = await open()
  const releaseAsked = asked.layer.hold()
  asked.client.raw.send(asked.client.frame(echo(VALUE)))
  await expect.poll(() => asked.layer.isBusy).toBe(true)
  asked.client.close()
  await expect.poll(() => service.open).toBe(0)
  expect(memory.granted).toBeGreaterThanOrEqual(2 * VALUE.length)
  releaseAsked()
  await expect.poll(() => memory.granted).toBe(0)
  const answered = await open()
  for (let at = 0; at < 11; at++)
    answered.client.raw.send(
      answered.client.frame(echo(VALUE).subarray(at * LARGE * 0.95, (at + 1) * LARGE * 0.95)),
    )
  const releaseAnswered = answered.layer.hold()
  await expect.poll(() => answered.layer.isBusy).toBe(true)
  answered.client.raw.socket.resetAndDestroy()
  await expect.poll(() => service.open).toBe(0)
  expect(memory.granted).toBeGreaterThanOrEqual(VALUE.length)
  releaseAnswered()
  await expect.poll(() => memory.granted).toBe(0)
})

test('that were changed end the connection', async () => {
  const { client } = await open()
  const frame = client.frame(echo(VALUE))
  frame[LARGE]! ^= 1
  client.raw.send(frame)
  await expect.poll(() => client.raw.isClosed).toBe(true)
})

test('are answered where the client has ended its side behind its first', async () => {
  const { client } = await open()
  client.raw.send(client.frame(echo(VALUE)))
  client.raw.socket.end()
  expect((await client.payload(VALUE.length)).includes(VALUE)).toBe(true)
})
