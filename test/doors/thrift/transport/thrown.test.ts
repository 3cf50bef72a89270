import { expect, test } from 'vitest'
import { ThriftException } from '../../../../src/doors/thrift/contract/thrift-service.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { callBytes, RawClient } from './raw-client.ts'
import { startToyServer } from './toy-services.ts'

/** MessageType.REPLY: the method declares the exception. */
const REPLY = 2

test.each([
  ['throws at once', -1n],
  ['rejects', 0n],
])('a handler that %s is answered by the exception of its service', async (_, left) => {
  const error = new HBaseError('IO', 'broken')
  const server = await startToyServer({
    handlers: {
      add: ({ left: given }: { left: bigint }) => {
        if (given < 0n) throw error
        return Promise.reject(error)
      },
    },
    exceptionOf: (method, thrown) =>
      new ThriftException('ToyError', { message: `${method}: ${String(thrown)}` }, { cause: thrown }),
  })
  const client = await RawClient.open(server.port)
  try {
    client.send(callBytes('binary', 'add', { left, right: 1n }))
    const [reply] = await client.replies(1)
    expect(reply).toMatchObject({ method: 'add', type: REPLY })
    expect(client.received.toString('latin1')).toContain(`add: ${error}`)
  } finally {
    client.socket.destroy()
    await server.listener.close()
  }
})
