import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { closedLoop } from '../harness/closed-loop.ts'
import { openLoop } from '../harness/open-loop.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Answers every byte with a byte, but holds the first so many milliseconds of a connection's answers back. */
async function echo(standsStillMs: number): Promise<number> {
  const server = createServer((socket) => {
    const openAt = performance.now() + standsStillMs
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      const restMs = openAt - performance.now()
      if (restMs > 0) setTimeout(() => socket.write(bytes), restMs)
      else socket.write(bytes)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const LOOP = { connections: 2, durationMs: 400, requests: [Buffer.from('a')], answerBytes: 1 }

test('an open loop charges a server that stands still for all who wait; a closed one for one request a connection', async () => {
  const port = await echo(200)
  const open = await openLoop({ ...LOOP, port, callsPerSecond: 500 })
  const closed = await closedLoop({ ...LOOP, port: await echo(200) })
  expect(open.calls).toBe(200)
  expect(open.p50Ms).toBeGreaterThan(1)
  expect(open.p99Ms).toBeGreaterThan(150)
  expect(closed.calls).toBeGreaterThan(20)
  expect(closed.p50Ms).toBeLessThan(open.p50Ms + 150)
})

test('a loop fails when its server closes a connection', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.destroy()))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await expect(closedLoop({ ...LOOP, port })).rejects.toThrow('closed a connection')
  await expect(openLoop({ ...LOOP, port, callsPerSecond: 100 })).rejects.toThrow('closed a connection')
})
