import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { ConnectionOrigin } from '../../../src/gateway/connections/connection-origin.ts'
import { SocketCall } from '../../../src/gateway/connections/socket-call.ts'
import { greetingOf, SIBLINGS_FRONT } from '../../../src/gateway/siblings/handed-on.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { socketFrom } from '../../harness/login-place.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'

test('a stream without a noted connection has no origin, and no client is left without an address', () => {
  const stream = new Duplex() as Socket
  expect(() => ConnectionOrigin.of(stream)).toThrow('no origin is noted for it')
  expect(() => SocketCall.of(stream)).toThrow('no origin is noted for it')
  const origin = ConnectionOrigin.of(socketFrom('10.0.0.1'))
  origin.goesOnIn(stream)
  expect(ConnectionOrigin.of(stream)).toBe(origin)
})

test('a connection keeps its addresses once it is closed', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect(server.address() as never)
  const [socket] = (await once(server, 'connection')) as [Socket]
  const { name, address } = ConnectionOrigin.of(socket)
  client.destroy()
  socket.destroy()
  await once(server.close(), 'close')
  const { client: known, address: from } = SocketCall.of(socket).call
  expect([name, known, from]).toEqual([name, name, address])
  expect(name).toMatch(/^127\.0\.0\.1:\d+$/)
})

test.each([{ user: 'ann', realUser: 'knox' }, undefined])(
  'calls that a sibling hands on are those of its client %j',
  async (principal) => {
    await inTemporaryFolder(async (folder) => {
      const server = createServer({ allowHalfOpen: true }).listen(`${folder}/sibling`)
      await once(server, 'listening')
      const client = connect(`${folder}/sibling`)
      const [socket] = (await once(server, 'connection')) as [Socket]
      const served = new Promise<Socket>((resolve) => SIBLINGS_FRONT.open(socket, resolve))
      client.write(greetingOf({ ...OWN_CALL, principal, address: '192.0.2.7' }))
      const { call } = SocketCall.of(await served)
      // The slow log has the client, the audit log the address.
      expect(call).toMatchObject({ principal, client: '192.0.2.7', address: '192.0.2.7', isOwn: false })
      client.destroy()
      socket.destroy()
      await once(server.close(), 'close')
    })
  },
)
