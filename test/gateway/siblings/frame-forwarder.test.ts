import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FrameForwarder } from '../../../src/gateway/siblings/frame-forwarder.ts'
import { makeTemporaryFolder } from '../../harness/tidegate-process.ts'

let folder: string
let server: Server
let forwarder: FrameForwarder
/** The bytes that each connection has received. */
let received: string[]
let sockets: Socket[]
let answer: (socket: Socket, text: string) => void

beforeEach(async () => {
  folder = makeTemporaryFolder()
  received = []
  sockets = []
  answer = (socket, text) => socket.write(framed(text.toUpperCase()))
  forwarder = new FrameForwarder()
  server = createServer((socket) => {
    const at = sockets.push(socket) - 1
    received.push('')
    socket.on('data', (chunk) => {
      received[at] += chunk.toString('latin1')
      answer(socket, chunk.toString('latin1').slice(-1))
    })
  })
  await new Promise<void>((resolve) => server.listen(address(), resolve))
})

afterEach(async () => {
  forwarder.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

function address(): string {
  return join(folder, 's')
}

function framed(text: string): Buffer {
  return Buffer.concat([Buffer.of(0, 0, 0, text.length), Buffer.from(text)])
}

function ask(
  text: string,
  signal?: AbortSignal,
  greeting = 'hello',
  protocol = 'p',
): Promise<Buffer | undefined> {
  return forwarder.ask({
    address: address(),
    greeting: Buffer.from(greeting),
    protocol,
    frame: framed(text),
    signal,
  })
}

test('calls one after the other go over one connection, which begins with the greeting', async () => {
  expect(await ask('a')).toEqual(framed('A'))
  expect(await ask('b')).toEqual(framed('B'))
  expect(received).toEqual([`hello${framed('a').toString()}${framed('b').toString()}`])
})

test('many calls over one connection leave no listeners behind', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warned)
  for (let i = 0; i < 20; i++) await ask('a')
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', warned)
  expect(received).toHaveLength(1)
  expect(warnings).toEqual([])
})

test('calls at the same time have connections of their own, and so have those of another greeting or protocol', async () => {
  const answers = await Promise.all([ask('a'), ask('b'), ask('c', undefined, 'salut')])
  expect(answers).toEqual(['A', 'B', 'C'].map(framed))
  expect(received).toHaveLength(3)
  await ask('d', undefined, 'salut')
  expect(received).toHaveLength(3)
  await ask('e', undefined, 'salut', 'another protocol')
  expect(received).toHaveLength(4)
})

test('an answer in pieces is whole before it is given', async () => {
  answer = (socket) => {
    const bytes = framed('pieces')
    socket.write(bytes.subarray(0, 2))
    setImmediate(() => {
      socket.write(bytes.subarray(2, 6))
      setImmediate(() => socket.write(bytes.subarray(6)))
    })
  }
  expect(await ask('a')).toEqual(framed('pieces'))
})

test('where the sibling is missing, or goes before it has answered, there is no answer', async () => {
  expect(
    await forwarder.ask({
      address: join(folder, 'none'),
      greeting: Buffer.of(),
      protocol: 'p',
      frame: framed('a'),
      signal: undefined,
    }),
  ).toBeUndefined()
  answer = (socket) => socket.destroy()
  expect(await ask('a')).toBeUndefined()
})

test('a caller who hangs up ends the call where it runs, and no other call', async () => {
  const gone = new AbortController()
  const hangs = new Promise<Socket>((resolve) => {
    answer = (socket, text) => {
      if (text === 'a') resolve(socket)
      else socket.write(framed('B'))
    }
  })
  const asked = ask('a', gone.signal)
  const socket = await hangs
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const other = ask('b')
  gone.abort()
  expect(await asked).toBeUndefined()
  await closed
  expect(await other).toEqual(framed('B'))
  expect(await ask('c', gone.signal)).toBeUndefined()
})
