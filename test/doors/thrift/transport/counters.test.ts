import { afterEach, beforeEach, expect, test } from 'vitest'
import { doorMetrics } from '../../../../src/gateway/observing/metrics.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { valuesOf } from '../../../gateway/observing/metric-values.ts'
import { callBytes, framed, RawClient } from './raw-client.ts'
import { startToyServer, type ToyServer } from './toy-services.ts'

let server: ToyServer
let client: RawClient

beforeEach(async () => {
  const handlers = {
    echo: () => {
      throw new HBaseError('UNAVAILABLE', 'closing')
    },
  }
  server = await startToyServer({ handlers, limits: { requestBytesMax: 1000 } })
  client = await RawClient.open(server.port)
})

afterEach(async () => {
  client.socket.destroy()
  await server.listener.close()
})

function values(): Record<string, number> {
  return valuesOf(doorMetrics(new Map([['thrift', server.listener]])))
}

/** Closes the listener. Node reports a socket's end after the server's, at the end of a turn. */
async function closed(): Promise<void> {
  await server.listener.close()
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const add = callBytes('binary', 'add', { left: 1n, right: 1n })

test('calls are counted by method and outcome, in any dialect', async () => {
  const note = callBytes('binary', 'note', { text: 'x' })
  const bug = callBytes('binary', 'break', {})
  const unavailable = callBytes('binary', 'echo', { value: Buffer.from('x') })
  client.send(Buffer.concat([add, note, add, bug, unavailable, callBytes('binary', 'age', {})]))
  await client.replies(5)
  const url = `http://127.0.0.1:${server.port}/`
  await (await fetch(url, { method: 'POST', body: add, headers: { connection: 'close' } })).arrayBuffer()
  expect(values()).toMatchObject({
    'tidegate_requests_total{thrift,Old,add,ok}': 3,
    'tidegate_requests_total{thrift,Old,note,ok}': 1,
    'tidegate_requests_total{thrift,Old,break,failed}': 1,
    'tidegate_requests_total{thrift,Old,echo,failed}': 1,
    'tidegate_requests_total{thrift,Old,age,ok}': 1,
    'tidegate_errors_total{thrift,INTERNAL}': 1,
    'tidegate_errors_total{thrift,UNAVAILABLE}': 1,
  })
  expect(values()).not.toHaveProperty('tidegate_errors_total{thrift,PROTOCOL}')
})

test.each([
  ['bytes that are no Thrift', Buffer.alloc(8, 0xff)],
  ['a frame that ends early', framed(add.subarray(0, -3))],
])('%s are an error of the protocol', async (_, bytes) => {
  client.send(bytes)
  await client.closed()
  await closed()
  expect(values()).toEqual({ 'tidegate_errors_total{thrift,PROTOCOL}': 1 })
})

test('so is what comes over HTTP and is none of it', async () => {
  const url = `http://127.0.0.1:${server.port}/`
  const ask = async (init: RequestInit): Promise<number> => (await fetch(url, init)).status
  expect(await ask({ method: 'GET' })).toBe(405)
  expect(await ask({ method: 'POST', body: 'nothing of Thrift' })).toBe(400)
  expect(await ask({ method: 'POST', body: 'x'.repeat(2000) })).toBe(413)
  expect(await ask({ method: 'POST', body: add.subarray(0, -3) })).toBe(400)
  expect(values()).toMatchObject({ 'tidegate_errors_total{thrift,PROTOCOL}': 4 })
})

test('connections are counted while they are open', async () => {
  client.send(add)
  await client.replies(1)
  expect(values()['tidegate_connections{thrift}']).toBe(1)
  await closed()
  expect(values()).not.toHaveProperty('tidegate_connections{thrift}')
})
