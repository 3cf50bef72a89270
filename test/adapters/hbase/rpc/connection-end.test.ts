import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { MessageWriter } from '../../../../src/wire/rpc/message-writer.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { writeExceptionResponse } from '../../../../src/wire/rpc/response-frame.ts'
import { connected, ECHO, echo, failure, fake, raw } from './echo-connection.ts'

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

  test.each([
    ['ended', 'the server closed the connection', (socket: Socket) => socket.end()],
    ['reset', 'read ECONNRESET', (socket: Socket) => socket.resetAndDestroy()],
  ])('that the server has %s before any answer names TLS as a cause', async (_, reason, end) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => end(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const connection = await connected((server.address() as AddressInfo).port)
    expect(await failure(connection.call(ECHO, 'x'))).toMatchObject({
      message: expect.stringContaining(`${reason} without an answer: it may want TLS`),
    })
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

  test('is a server without logins, which asks a client with a password to go on without', async () => {
    const { port } = await raw(Buffer.from([0, 0, 0, 0, 255, 255, 255, 168]))
    const connection = await connected(port, { password: 'secret' })
    expect(await failure(connection.call(ECHO, 'x'))).toMatchObject({
      message: expect.stringContaining('the server takes no passwords: connect without a login'),
    })
    expect(connection.closedBy).toMatchObject({ code: 'USER_REFUSED' })
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

  test.each([
    [{ isPassed: true, realUser: 'gateway' }, 'USER_REFUSED'],
    [{ isPassed: false, realUser: undefined }, 'CONNECTION_CLOSED'],
  ])('by a refusal of its user, with %j, is %s', async (asUser, code) => {
    const server = await fake((call) => {
      const javaClass = 'org.apache.hadoop.hbase.security.AccessDeniedException'
      const exception = new RemoteException({ javaClass, stackTrace: 'no', doNotRetry: true })
      const writer = new MessageWriter()
      writeExceptionResponse(writer, -1, exception)
      call.socket.write(writer.take())
    })
    const connection = await connected(server.port, asUser)
    expect(await failure(connection.call(ECHO, 'x'))).toMatchObject({ code })
    expect(server.headers[0]?.userInfo?.realUser).toBe(asUser.realUser ?? '')
  })

  test('comes by itself after a while without calls', async () => {
    const server = await fake(echo)
    const connection = await connected(server.port, { limits: { idleMs: 20 } })
    await connection.call(ECHO, 'x')
    await new Promise((resolve) => connection.onClose(resolve))
    expect(connection.closedBy?.message).toContain('idle')
  })
})
