import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  connect,
  type RpcConnection,
  type RpcConnectionOptions,
} from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { DEFLATE, GZIP } from '../../../../src/wire/rpc/cell-block-compressor.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import type { RpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'
import { type FakeCall, type FakeHandler, FakeRegionServer } from './fake-region-server.ts'

/** Texts both ways; a request may not be empty, a response may not be `bad`. */
const ECHO: RpcMethod<string, string> = {
  service: 'EchoService',
  name: 'Echo',
  encode(request, writer) {
    writer.raw(Buffer.from(request))
  },
  decode(buffer, start, end) {
    const text = buffer.toString('latin1', start, end)
    if (text === 'bad') throw new Error('a bad text')
    return text
  },
}

const echo: FakeHandler = (call) => call.reply(call.parameter, call.cells)

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step()
})

async function fake(handler: FakeHandler): Promise<FakeRegionServer> {
  const server = await FakeRegionServer.start(handler)
  cleanUp.push(() => server.close())
  return server
}

async function connected(port: number, options: Partial<RpcConnectionOptions> = {}): Promise<RpcConnection> {
  const connection = await connect({
    host: '127.0.0.1',
    port,
    service: 'EchoService',
    user: 'ann',
    ...options,
  })
  cleanUp.push(() => connection.close())
  return connection
}

/** A server that answers the first bytes of a connection with given ones, and reads on. */
async function raw(answer: Buffer | undefined): Promise<{ port: number; received: () => number }> {
  let received = 0
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      received += bytes.length
    })
    if (answer !== undefined) socket.once('data', () => socket.write(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, received: () => received }
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error,
  )
}

function someCells(): CellBlock {
  const batch = new MutationBatch()
  for (let i = 0; i < 50; i++) {
    batch.put(Buffer.from(`row${i}`), Buffer.from('f'), Buffer.from('q'), Buffer.alloc(i, 'v'), BigInt(i))
  }
  return batch.cells.block()
}

describe('calls of one connection', () => {
  test('introduce themselves once, and bring message and cells back', async () => {
    const server = await fake(echo)
    const connection = await connected(server.port)
    const block = someCells()
    const half = cellsOf(block).length
    const { message, cells, cellCount } = await connection.call(ECHO, 'hello', { cells: [block, block] })
    expect(message).toBe('hello')
    expect(cellCount).toBe(2 * half)
    expect(cellsOf(cells)).toEqual([...cellsOf(block), ...cellsOf(block)])
    expect((await connection.call(ECHO, 'again')).cells.byteLength).toBe(0)
    expect(server.headers).toHaveLength(1)
    expect(server.headers[0]?.serviceName).toBe('EchoService')
    expect(server.headers[0]?.userInfo?.effectiveUser).toBe('ann')
  })

  test('are answered in whatever order', async () => {
    const held: FakeCall[] = []
    const server = await fake((call) => {
      held.push(call)
      if (held.length === 100) for (const each of held.toReversed()) each.reply(each.parameter)
    })
    const connection = await connected(server.port)
    const texts = Array.from({ length: 100 }, (_, i) => `call ${i}`)
    const answers = await Promise.all(texts.map((text) => connection.call(ECHO, text)))
    expect(answers.map(({ message }) => message)).toEqual(texts)
    expect(connection.pending).toBe(0)
  })

  test('tell the server method, priority and time', async () => {
    const headers: FakeCall['header'][] = []
    const server = await fake((call) => {
      headers.push(call.header)
      call.reply(call.parameter)
    })
    const connection = await connected(server.port)
    await connection.call(ECHO, 'x', { priority: 200, timeoutMs: 1234 })
    await connection.call(ECHO, 'x')
    expect(headers[0]).toMatchObject({ method: 'Echo', priority: 200, timeoutMs: 1234 })
    expect(headers[1]).toMatchObject({ priority: undefined, timeoutMs: 60_000 })
  })

  test('carry large requests and answers', async () => {
    const server = await fake(echo)
    const connection = await connected(server.port)
    const texts = [1, 5, 9].map((megabytes) => String(megabytes).repeat(megabytes * 1_000_000))
    const answers = await Promise.all(texts.map((text) => connection.call(ECHO, text)))
    expect(answers.every(({ message }, i) => message === texts[i])).toBe(true)
  })

  test.each([GZIP, DEFLATE])('compress cells, both ways: $javaClass', async (compressor) => {
    let wire = Buffer.alloc(0)
    const server = await fake((call) => {
      wire = Buffer.from(call.cells)
      call.reply(call.parameter, call.cells)
    })
    const connection = await connected(server.port, { compressor })
    const block = someCells()
    const { cells } = await connection.call(ECHO, 'x', { cells: [block, block] })
    expect(cellsOf(cells)).toEqual([...cellsOf(block), ...cellsOf(block)])
    expect(wire.length).toBeLessThan(block.byteLength)
    expect(compressor.decompress(wire, 2 ** 20)).toHaveLength(2 * block.byteLength)
    expect(server.headers[0]?.cellBlockCompressorClass).toBe(compressor.javaClass)
  })
})

describe('a failure of one call', () => {
  test('is the exception that the server answered with', async () => {
    const server = await fake((call) =>
      call.fail(
        new RemoteException({
          javaClass: 'a.b.CException',
          stackTrace: 'a.b.CException: two\nlines\n\tat x.Y(Z.java:1)\nCaused by: d.E: no\n',
          doNotRetry: true,
        }),
      ),
    )
    const connection = await connected(server.port)
    const error = await failure(connection.call(ECHO, 'x'))
    expect(error).toBeInstanceOf(RemoteException)
    expect(error).toMatchObject({ javaClass: 'a.b.CException', message: 'two\nlines', doNotRetry: true })
    expect(connection.closedBy).toBeUndefined()
  })

  test('is a message or a cell block that is not what it should be', async () => {
    const server = await fake((call) => call.reply(call.parameter, call.cells))
    const connection = await connected(server.port)
    const bad = await failure(connection.call(ECHO, 'bad'))
    expect(bad).toMatchObject({ code: 'BAD_RESPONSE', sent: true })
    const cells = [new CellBlock(Buffer.from([0, 0, 0, 99, 1, 2, 3]))]
    expect(await failure(connection.call(ECHO, 'x', { cells }))).toMatchObject({ code: 'BAD_RESPONSE' })
    expect((await connection.call(ECHO, 'fine')).message).toBe('fine')
  })

  test('is a decompressed block above the limit', async () => {
    const server = await fake((call) => call.reply(Buffer.from('x'), GZIP.compress(Buffer.alloc(200_000))))
    const connection = await connected(server.port, {
      compressor: GZIP,
      limits: { responseBytesMax: 100_000 },
    })
    expect(await failure(connection.call(ECHO, 'x'))).toMatchObject({ code: 'BAD_RESPONSE' })
  })

  test('is its time: a late answer is dropped, other calls go on', async () => {
    const late: FakeCall[] = []
    const server = await fake((call) => {
      if (call.parameter.toString() === 'late') {
        late.push(call)
        return
      }
      for (const each of late.splice(0)) each.reply(Buffer.from('answer'))
      call.reply(call.parameter)
    })
    const connection = await connected(server.port)
    const patient = connection.call(ECHO, 'late', { timeoutMs: 60_000 })
    const error = await failure(connection.call(ECHO, 'late', { timeoutMs: 30 }))
    expect(error).toMatchObject({ code: 'CALL_TIMEOUT', sent: true })
    expect(connection.pending).toBe(1)
    expect((await connection.call(ECHO, 'next')).message).toBe('next')
    expect((await patient).message).toBe('answer')
    expect(connection.pending).toBe(0)
  })

  test('is the caller who gives up, before or after it was sent', async () => {
    const server = await fake(() => {})
    const connection = await connected(server.port)
    const early = AbortSignal.abort()
    expect(await failure(connection.call(ECHO, 'x', { signal: early }))).toMatchObject({
      code: 'CALL_CANCELLED',
      sent: false,
    })
    const controller = new AbortController()
    const call = connection.call(ECHO, 'x', { signal: controller.signal })
    controller.abort()
    expect(await failure(call)).toMatchObject({ code: 'CALL_CANCELLED', sent: false })
    expect(connection.pending).toBe(0)
  })

  test('is a limit: of calls, of bytes of one, of bytes that wait', async () => {
    const { port } = await raw(undefined)
    const limits = { callsMax: 3, requestBytesMax: 5000, waitingBytesMax: 8000, callTimeoutMs: 60_000 }
    const connection = await connected(port, { limits })
    expect(await failure(connection.call(ECHO, 'x'.repeat(6000)))).toMatchObject({
      code: 'REQUEST_TOO_LARGE',
      sent: false,
    })
    const calls = [failure(connection.call(ECHO, 'x'.repeat(4500)))]
    expect(await failure(connection.call(ECHO, 'x'.repeat(4500)))).toMatchObject({ code: 'OVERLOADED' })
    calls.push(failure(connection.call(ECHO, 'x')), failure(connection.call(ECHO, 'x')))
    expect(connection.pending).toBe(3)
    expect(await failure(connection.call(ECHO, 'x'))).toMatchObject({ code: 'OVERLOADED', sent: false })
    connection.close()
    await Promise.all(calls)
  })
})

describe('a server that does not read', () => {
  test('makes calls fail in their time, and nothing pile up', async () => {
    const server = await fake((call) => {
      if (call.parameter.length === 1) call.reply(call.parameter)
    })
    const connection = await connected(server.port, { limits: { waitingBytesMax: 20_000_000 } })
    await connection.call(ECHO, 'x')
    server.sockets[0]!.pause()
    const block = 'x'.repeat(1_000_000)
    const stalled = async (): Promise<string[]> => {
      const calls = Array.from({ length: 60 }, () =>
        failure(connection.call(ECHO, block, { timeoutMs: 100 })),
      )
      return (await Promise.all(calls)).map((error) => (error as RpcError).code)
    }
    for (let round = 0; round < 2; round++) {
      const codes = await stalled()
      expect(codes.filter((code) => code === 'CALL_TIMEOUT').length).toBeGreaterThan(10)
      expect(codes.filter((code) => code === 'OVERLOADED').length).toBeGreaterThan(10)
      expect(connection.pending).toBe(0)
    }
    server.sockets[0]!.resume()
    expect((await connection.call(ECHO, 'y')).message).toBe('y')
  })

  test('gets what was given up in time no more', async () => {
    const received: string[] = []
    const server = await fake((call) => {
      received.push(call.parameter.toString().slice(0, 4))
      call.reply(call.parameter.subarray(0, 4))
    })
    const connection = await connected(server.port)
    const controller = new AbortController()
    const texts = Array.from({ length: 200 }, (_, i) => `${1000 + i}`)
    const calls = texts.map((text, i) =>
      connection.call(ECHO, text, i % 3 === 0 ? {} : { signal: controller.signal }).then(
        ({ message }) => message,
        (error: RpcError) => `${error.code} ${error.sent}`,
      ),
    )
    controller.abort()
    const kept = texts.filter((_, i) => i % 3 === 0)
    const answers = await Promise.all(calls)
    expect(answers).toEqual(texts.map((text, i) => (i % 3 === 0 ? text : 'CALL_CANCELLED false')))
    expect(received).toEqual(kept)
  })
})

describe('the end of a connection', () => {
  test('fails all calls in flight, once, and later ones at once', async () => {
    const server = await fake((call) => {
      if (call.parameter.toString() === 'end') call.socket.destroy()
    })
    const connection = await connected(server.port)
    const reasons: RpcError[] = []
    connection.onClose((reason) => reasons.push(reason))
    const errors = await Promise.all(['a', 'b', 'end'].map((text) => failure(connection.call(ECHO, text))))
    for (const error of errors) {
      expect(error).toBeInstanceOf(RpcError)
      expect(error).toMatchObject({ code: 'CONNECTION_CLOSED', sent: true })
    }
    expect(reasons).toEqual([connection.closedBy])
    expect(connection.pending).toBe(0)
    expect(await failure(connection.call(ECHO, 'late'))).toMatchObject({
      code: 'CONNECTION_CLOSED',
      sent: false,
    })
    connection.onClose((reason) => reasons.push(reason))
    expect(reasons).toHaveLength(2)
  })

  test('closed from here, is the same', async () => {
    const server = await fake(() => {})
    const connection = await connected(server.port)
    const call = failure(connection.call(ECHO, 'x'))
    connection.close()
    connection.close()
    expect(await call).toMatchObject({ code: 'CONNECTION_CLOSED', sent: false })
  })

  test('is a frame that is too large, before it has come', async () => {
    for (const length of [1_000_001, 0x7fffffff, -1]) {
      const answer = Buffer.alloc(4)
      answer.writeInt32BE(length)
      const { port } = await raw(answer)
      const connection = await connected(port, { limits: { responseBytesMax: 1_000_000 } })
      const error = await failure(connection.call(ECHO, 'x'))
      expect(error).toMatchObject({ code: 'BAD_RESPONSE' })
      expect((error as RpcError).message).toContain(`${length} bytes; the limit is 1000000`)
    }
  })

  test('is a frame that is no response', async () => {
    const { port } = await raw(Buffer.from([0, 0, 0, 3, 200, 1, 1]))
    const connection = await connected(port)
    expect(await failure(connection.call(ECHO, 'x'))).toMatchObject({ code: 'BAD_RESPONSE' })
  })

  test('is the server that refuses it', async () => {
    const server = await fake((call) => {
      const exception = new RemoteException({
        javaClass: 'a.FatalException',
        stackTrace: 'a.FatalException: no',
      })
      Object.assign(call.header, { callId: 0xffffffff })
      call.fail(exception)
    })
    const connection = await connected(server.port)
    const error = await failure(connection.call(ECHO, 'x'))
    expect(error).toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(connection.closedBy?.message).toContain('refused: a.FatalException: no')
    expect(connection.closedBy?.cause).toBeInstanceOf(RemoteException)
  })

  test('comes by itself after a while without calls', async () => {
    const server = await fake(echo)
    const connection = await connected(server.port, { limits: { idleMs: 20 } })
    await connection.call(ECHO, 'x')
    await new Promise((resolve) => connection.onClose(resolve))
    expect(connection.closedBy?.message).toContain('idle')
  })
})

describe('connecting', () => {
  test('fails where nobody listens', async () => {
    const server = await FakeRegionServer.start(echo)
    const { port } = server
    await server.close()
    const error = await failure(connected(port))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ code: 'CONNECT_FAILED', sent: false })
  })

  test('can be given up', async () => {
    const server = await fake(echo)
    const controller = new AbortController()
    expect(await failure(connected(server.port, { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'CONNECTION_CLOSED',
    })
    const connection = await connected(server.port, { signal: controller.signal })
    controller.abort()
    expect(connection.closedBy?.code).toBe('CONNECTION_CLOSED')
  })
})
