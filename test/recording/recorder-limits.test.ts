/** A recorder between raw sockets: messages beyond its limit, answers that never come, and a file that is slower than the clients. */

import { once } from 'node:events'
import { statSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Cutter } from '../../src/recording/protocol.ts'
import { type Recorder, startRecorder } from '../../src/recording/recorder.ts'
import { createTapeFile, readTape } from '../../src/recording/tape.ts'
import { WIRES } from '../../src/recording/wires.ts'
import { getRow } from '../harness/thrift-frames.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'
import { TapeText } from './tape-text.ts'

const HOST = '127.0.0.1'
const BYTES_MAX = 4096

async function serverOf(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    serve(socket)
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function recorderOf(
  port: number,
  tape: Writable = new TapeText(),
  messageBytesMax: number = BYTES_MAX,
): Promise<Recorder> {
  const recorder = await startRecorder({
    host: HOST,
    port: 0,
    target: { host: HOST, port },
    tape,
    messageBytesMax,
    now: () => 0,
    begun: '2026-01-01T00:00:00Z',
  })
  onTestFinished(() => recorder.close())
  return recorder
}

/** Sends it all, and answers what came until the server ended the connection. */
async function exchange(port: number, ...sent: readonly Buffer[]): Promise<Buffer> {
  const socket = connect(port, HOST)
  for (const each of sent) socket.write(each)
  socket.end()
  return buffer(socket)
}

const echo = (socket: Socket): void => void socket.pipe(socket)

function framed(body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length)
  return Buffer.concat([length, body])
}

/** A call of Thrift with a name of its own, in a frame or without one. */
const framedCall = (row: string): Buffer => getRow('t', row)
const bareCall = (row: string): Buffer => getRow('t', row).subarray(4)
const httpPut = (body: string): Buffer =>
  Buffer.from(`PUT /t/r HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
const chunkedPut = (body: string): Buffer =>
  Buffer.from(
    `PUT /t/r HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  )

const CALLS: readonly [string, (text: string) => Buffer][] = [
  ['Thrift in frames', framedCall],
  ['Thrift without frames', bareCall],
]

describe.each(CALLS)('%s', (_, callOf) => {
  test('a message of too many bytes is handed on, and ends the recording of its connection alone', async () => {
    const port = await serverOf(echo)
    const tape = new TapeText()
    const recorder = await recorderOf(port, tape)
    const [small, large] = [callOf('small'), callOf('x'.repeat(1 << 20))]
    expect(
      (await exchange(recorder.port, small, large, small)).equals(Buffer.concat([small, large, small])),
    ).toBe(true)
    expect((await exchange(recorder.port, small)).equals(small)).toBe(true)
    await recorder.close()
    const { exchanges, notes } = readTape(tape.text)
    expect(notes).toEqual([
      `connection 1: a message of more than ${BYTES_MAX} bytes; the rest of the connection is not recorded`,
    ])
    expect(exchanges.map(({ connection }) => connection)).toContain(2)
    expect(tape.text.length).toBeLessThan(4 * BYTES_MAX)
  })
})

test('an answer of too many bytes is handed on, too', async () => {
  const answer = framedCall('y'.repeat(2 * BYTES_MAX))
  const port = await serverOf((socket) => void socket.on('data', () => socket.end(answer)))
  const tape = new TapeText()
  const recorder = await recorderOf(port, tape)
  expect((await exchange(recorder.port, framedCall('r'))).equals(answer)).toBe(true)
  await recorder.close()
  expect(readTape(tape.text).notes).toHaveLength(1)
})

test('requests without answers are kept up to so many bytes', async () => {
  const port = await serverOf((socket) => void socket.on('end', () => socket.end()).resume())
  const tape = new TapeText()
  const recorder = await recorderOf(port, tape)
  await exchange(recorder.port, ...Array.from({ length: 1000 }, () => framedCall('r')))
  await recorder.close()
  expect(readTape(tape.text).notes).toEqual([
    `connection 1: more than ${BYTES_MAX} bytes of requests wait for their answers; the rest of the connection is not recorded`,
  ])
})

/** Begins of messages that never end. */
const ENDLESS: readonly [string, keyof typeof WIRES, Buffer][] = [
  ['a body of HTTP', 'http', httpPut('x'.repeat(1 << 22)).subarray(0, -1)],
  ['a body in chunks', 'http', chunkedPut('x'.repeat(1 << 22)).subarray(0, -8)],
  ['a frame of Thrift', 'thrift', framedCall('x'.repeat(1 << 22)).subarray(0, -1)],
  ['a message of Thrift', 'thrift', bareCall('x'.repeat(1 << 22)).subarray(0, -1)],
  ['a frame of native RPC', 'rpc', Buffer.concat([Buffer.from('HBas\0P'), framed(Buffer.alloc(1 << 22))])],
  [
    'a frame of ZooKeeper',
    'zookeeper',
    Buffer.concat([framed(Buffer.alloc(45)), framed(Buffer.alloc(1 << 22))]),
  ],
]

test.each(ENDLESS)('of %s that is too long, no more than the limit and a piece is kept', (_, name, bytes) => {
  const piece = 1024
  const { requests } = WIRES[name].conversation(bytes, BYTES_MAX) as { readonly requests: Cutter }
  const pushed = (): number => {
    for (let at = 0; at < bytes.length; at += piece) {
      try {
        requests.push(bytes.subarray(at, at + piece))
      } catch (error) {
        expect((error as Error).message).toBe(`a message of more than ${BYTES_MAX} bytes`)
        return at
      }
    }
    return bytes.length
  }
  expect(pushed()).toBeLessThanOrEqual(BYTES_MAX + 2 * piece)
})

/** A file that takes a line only when the test allows it. */
class SlowTape extends Writable {
  lines = 0
  #done: (() => void) | undefined
  #isFast = false

  constructor() {
    super({ highWaterMark: 1 })
  }

  hurry(): void {
    this.#isFast = true
    this.#done?.()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.lines += chunk.toString().split('\n').length - 1
    if (this.#isFast) setImmediate(done)
    else this.#done = done
  }
}

test('a file that cannot take more holds clients up, and has everything in the end', async () => {
  let received = 0
  const port = await serverOf((socket) => {
    socket.on('data', (bytes: Buffer) => {
      received += bytes.length
    })
    echo(socket)
  })
  const tape = new SlowTape()
  const recorder = await recorderOf(port, tape, 1 << 26)
  const call = framedCall('r'.repeat(1000))
  const count = 2000
  const socket = connect(recorder.port, HOST)
  const answered = buffer(socket)
  let sent = 0
  const send = (): void => {
    while (sent < count && socket.write(call)) sent++
    if (sent < count) sent++
    if (sent === count) socket.end()
  }
  socket.on('drain', () => sent < count && send())
  send()
  for (let before = -1, same = 0; same < 200; before = received) {
    await new Promise(setImmediate)
    same = received === before && received > 0 ? same + 1 : 0
  }
  expect(received).toBeLessThan((count * call.length) / 4)
  tape.hurry()
  expect((await answered).length).toBe(count * call.length)
  await recorder.close()
  tape.end()
  await once(tape, 'finish')
  // And the head.
  expect(tape.lines).toBe(count + 1)
})

test('the file of a recording is new, and its owner alone may read it', async () => {
  await inTemporaryFolder(async (folder) => {
    const path = join(folder, 'a.tape')
    const file = await createTapeFile(path)
    file.end('line\n')
    await once(file, 'close')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await expect(createTapeFile(path)).rejects.toThrow('EEXIST')
  })
})
