import { describe, expect, test } from 'vitest'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import { GZIP } from '../../../../src/wire/rpc/cell-block-compressor.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { connected, ECHO, failure, fake, raw } from './echo-connection.ts'
import type { FakeCall } from './fake-region-server.ts'

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

  test('is a malformed message or cell block', async () => {
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

  test('is a caller who hangs up, before or after it was sent', async () => {
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

  test('does not get requests that were cancelled in time', async () => {
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
