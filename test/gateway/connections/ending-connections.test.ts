/** Connections whose door closes. */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endInTime } from '../../../src/gateway/connections/ending-connections.ts'

const server = createServer()
const clients: Socket[] = []
const served: Socket[] = []

beforeEach(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  for (const socket of [...clients, ...served]) socket.destroy()
  server.close()
})

/** The server's end of a connection whose client reads nothing. */
async function accepted(): Promise<Socket> {
  const connection = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.pause()
  clients.push(client)
  const [socket] = (await connection) as [Socket]
  served.push(socket)
  return socket
}

test('a client that reads nothing of its answer is waited for less long than one whose call runs', async () => {
  const [unread, running] = [await accepted(), await accepted()]
  unread.write(Buffer.alloc(64_000_000))
  const end = endInTime(() => [unread, running])
  await vi.advanceTimersByTimeAsync(1250)
  expect([unread.destroyed, running.destroyed]).toEqual([false, false])
  await vi.advanceTimersByTimeAsync(500)
  expect([unread.destroyed, running.destroyed]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(2000)
  expect(running.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(500)
  expect(running.destroyed).toBe(true)
  end()
})
