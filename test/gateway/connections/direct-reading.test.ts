import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  dropBytes,
  leaveBytes,
  presentSocket,
  readDirectly,
  takeBytes,
} from '../../../src/gateway/connections/direct-reading.ts'

/** Larger than what the system and a stream hold together. */
const LARGE_BYTES = 24 * 1024 * 1024

/** All pieces that arrive, kept as they came. */
function gathered(socket: Socket): Buffer[] {
  const pieces: Buffer[] = []
  takeBytes(socket, (bytes) => pieces.push(bytes))
  return pieces
}

function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

describe.each([
  ['directly', readDirectly],
  ['by events', (socket: Socket) => socket],
])('a socket that is read %s', (_, read) => {
  let server: Server
  let open: Socket[]

  beforeEach(async () => {
    open = []
    server = createServer({ allowHalfOpen: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterEach(async () => {
    for (const socket of open) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  })

  /** `use` is called before any byte can arrive. */
  async function connected<T>(use: (socket: Socket) => T): Promise<[Socket, Socket, T]> {
    const accepted = new Promise<[Socket, T]>((resolve) =>
      server.once('connection', (socket: Socket) => {
        const present = read(socket)
        resolve([present, use(present)])
      }),
    )
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    open.push(client)
    const [[socket, used]] = await Promise.all([accepted, once(client, 'connect')])
    open.push(socket)
    return [client, socket, used]
  }

  test('gives all bytes in order, and they stay valid, whatever the pieces, pauses and other connections', async () => {
    const piece = fc.uint8Array({ minLength: 1, maxLength: 100_000 })
    const sent = fc.array(fc.record({ piece, pauses: fc.boolean() }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 3 }), async (ofClients) => {
        const connections: Awaited<ReturnType<typeof connected<Buffer[]>>>[] = []
        for (const _ of ofClients) connections.push(await connected(gathered))
        await Promise.all(
          ofClients.map(async (pieces, index) => {
            const [client, socket, taken] = connections[index]!
            for (const { piece: bytes, pauses } of pieces) {
              if (pauses) socket.pause()
              client.write(bytes)
              if (pauses) await new Promise((resolve) => setImmediate(resolve))
              socket.resume()
            }
            client.end()
            await once(socket, 'end')
            socket.end()
            const all = Buffer.concat(pieces.map(({ piece: bytes }) => bytes))
            expect(Buffer.concat(taken).equals(all)).toBe(true)
          }),
        )
      }),
      { numRuns: 30 },
    )
  })

  test('gives a paused taker nothing, holds the client up, and goes on where it was', async () => {
    const [client, socket, taken] = await connected((each) => {
      const pieces = gathered(each)
      each.pause()
      return pieces
    })
    const all = Buffer.alloc(LARGE_BYTES, 'abcdefghijk')
    client.end(all)
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0)
    expect(bytesOf(taken)).toBe(0)
    expect(client.writableLength).toBeGreaterThan(0)
    expect(socket.bytesRead).toBeLessThan(1024 * 1024)
    socket.resume()
    await once(socket, 'end')
    expect(Buffer.concat(taken).equals(all)).toBe(true)
  })

  test('notices while it is paused that the client has ended its side', async () => {
    const [client, socket] = await connected((each) => {
      dropBytes(each)
      each.pause()
    })
    const ended = once(socket, 'end')
    client.end()
    await ended
    expect(socket.isPaused()).toBe(true)
  })

  test('still answers a client that has ended its side', async () => {
    const [client, socket] = await connected(dropBytes)
    const answer = once(client, 'data')
    client.end('question')
    await once(socket, 'end')
    socket.end('answer')
    expect(String((await answer)[0])).toBe('answer')
  })

  test('closes when the client resets the connection', async () => {
    const [client, socket] = await connected(dropBytes)
    const closed = once(socket, 'error')
    client.write('some')
    await expect.poll(() => socket.bytesRead).toBe(4)
    client.resetAndDestroy()
    expect(await closed).toMatchObject([{ code: 'ECONNRESET' }])
  })

  test('gives no byte to a taker that has ended the connection', async () => {
    const [client, socket, taken] = await connected((each) => {
      const pieces: Buffer[] = []
      takeBytes(each, (bytes) => {
        pieces.push(bytes)
        each.destroy()
      })
      return pieces
    })
    client.on('error', () => undefined)
    client.write(Buffer.alloc(1_000_000))
    await once(socket, 'close')
    expect(taken.length).toBe(1)
  })

  test('gives a byte to one taker, the last one', async () => {
    const [client, socket, first] = await connected(gathered)
    client.write('first')
    await expect.poll(() => bytesOf(first)).toBe(5)
    const second = gathered(socket)
    client.write('second')
    await expect.poll(() => bytesOf(second)).toBe(6)
    dropBytes(socket)
    client.end('third')
    await once(socket, 'end')
    expect([Buffer.concat(first).toString(), Buffer.concat(second).toString()]).toEqual(['first', 'second'])
  })

  test('leaves its bytes to a server of Node that takes the connection over', async () => {
    const http = createHttpServer((request, response) => {
      const body: Buffer[] = []
      request.on('data', (bytes: Buffer) => body.push(bytes))
      request.on('end', () => response.end(`${bytesOf(body)} bytes`))
    })
    const body = Buffer.alloc(500_000, 'b')
    const head = `POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`
    const [client] = await connected((socket) => {
      takeBytes(socket, (bytes) => {
        leaveBytes(socket)
        socket.pause()
        socket.unshift(bytes)
        http.emit('connection', socket)
        socket.resume()
      })
    })
    const answer: Buffer[] = []
    client.on('data', (bytes: Buffer) => answer.push(bytes))
    client.write(head)
    client.write(body)
    await once(client, 'end')
    expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1.1 200 OK[^]*500000 bytes/)
  })

  test('keeps its server open until it is closed, and is counted by it', async () => {
    const [client, socket] = await connected(dropBytes)
    const count = await new Promise((resolve) => server.getConnections((_error, open) => resolve(open)))
    expect(count).toBe(1)
    let isClosed = false
    const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => (isClosed = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed).toBe(false)
    client.end()
    socket.end()
    await closed
  })

  test('has the addresses of the connection, and is found by the socket that the server accepted', async () => {
    let accepted: Socket | undefined
    server.once('connection', (socket: Socket) => (accepted = socket))
    const [client, socket] = await connected(dropBytes)
    expect([socket.remotePort, socket.localPort]).toEqual([client.localPort, client.remotePort])
    expect(presentSocket(accepted!)).toBe(socket)
  })
})

test('a small piece holds little memory beside its own, however many others came before it', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = new Promise<Buffer[]>((resolve) =>
    server.once('connection', (socket: Socket) => {
      const pieces: Buffer[] = []
      takeBytes(readDirectly(socket), (bytes) => {
        pieces.push(bytes)
        if (pieces.length < 200) client.write('a small piece'.repeat(pieces.length))
        else resolve(pieces)
      })
    }),
  )
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('begin')
  const pieces = await accepted
  const held = pieces.map((piece) => piece.buffer.byteLength - piece.length)
  expect(Math.max(...held)).toBeLessThan(2048)
  expect(
    new Set(
      pieces.filter(({ length }) => length > 1024).map(({ buffer, length }) => buffer.byteLength - length),
    ),
  ).toEqual(new Set([0]))
  client.destroy()
  await new Promise((resolve) => server.close(resolve))
})

test('a socket of which bytes have been read, or that is read directly already, is left as it is', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  client.write('early')
  await once(socket, 'data')
  expect(readDirectly(socket)).toBe(socket)
  client.destroy()
  await new Promise((resolve) => server.close(resolve))
})
