/** A small body counts the same however the network cuts it. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RestServer, startRestServer } from './rest-server.ts'

const VALUE = 'a value of some bytes'

let server: RestServer

beforeAll(async () => {
  server = await startRestServer()
})

afterAll(() => server.close())

async function connected(): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

function put(row: string, length = VALUE.length): string {
  return `PUT /t/${row}/f:q HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
}

/** Sends a piece, and lets the server take it before another follows. */
async function send(socket: Socket, piece: string): Promise<void> {
  await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

/** Gathers the answers, of which none has a body; resolves once there are so many. */
function answersOf(socket: Socket): (count: number) => Promise<void> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  return async (count) => {
    while (text.split('HTTP/1.1 200').length <= count) await once(socket, 'data')
  }
}

test.each([[[]], [[0]], [[7]], [[0, 1, 20]], [[3, 9, 15]]])('cut at %j', async (cuts) => {
  const socket = await connected()
  const answers = answersOf(socket)
  const row = `cut${cuts.join('-')}`
  const ends = [...cuts, VALUE.length]
  await send(socket, put(row) + VALUE.slice(0, ends[0]))
  for (const [i, at] of cuts.entries()) await send(socket, VALUE.slice(at, ends[i + 1]))
  await answers(1)
  // The connection goes on.
  await send(socket, put(`${row}b`) + VALUE)
  await answers(2)
  socket.destroy()
  for (const each of [row, `${row}b`]) {
    expect((await server.get(`/t/${each}/f:q`, 'application/octet-stream')).text).toBe(VALUE)
  }
})

test('two requests with bodies in one piece', async () => {
  const socket = await connected()
  const both = once(socket, 'end')
  socket.on('data', () => undefined)
  socket.end(put('first') + VALUE + put('second') + VALUE)
  await both
  for (const each of ['first', 'second']) {
    expect((await server.get(`/t/${each}/f:q`, 'application/octet-stream')).text).toBe(VALUE)
  }
})

test('a client that goes before its body is there', async () => {
  for (const part of ['', VALUE.slice(0, 5)]) {
    const socket = await connected()
    await send(socket, put('gone') + part)
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  expect((await server.get('/t/gone/f:q', 'application/octet-stream')).status).toBe(404)
  expect(server.logged.filter((line) => line.includes('bug'))).toEqual([])
})
