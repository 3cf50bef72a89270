/** Connections to servers that echo or give a case's answers; the end of a test closes its connections. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import {
  connect,
  type RpcConnection,
  type RpcConnectionOptions,
} from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import type { RpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'
import { type FakeHandler, FakeRegionServer } from './fake-region-server.ts'

/** Texts both ways; a request may not be empty, a response may not be `bad`. */
export const ECHO: RpcMethod<string, string> = {
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

export const echo: FakeHandler = (call) => call.reply(call.parameter, call.cells)

export async function fake(handler: FakeHandler): Promise<FakeRegionServer> {
  const server = await FakeRegionServer.start(handler)
  onTestFinished(() => server.close())
  return server
}

export async function connected(
  port: number,
  options: Partial<RpcConnectionOptions> = {},
): Promise<RpcConnection> {
  const connection = await connect({
    host: '127.0.0.1',
    port,
    service: 'EchoService',
    user: 'ann',
    ...options,
  })
  onTestFinished(() => connection.close())
  return connection
}

/** A server that answers the first bytes of a connection with given ones, and reads on. */
export async function raw(answer: Buffer | undefined): Promise<{ port: number; received: () => number }> {
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
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, received: () => received }
}

export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error,
  )
}

export function someCells(): CellBlock {
  const batch = new MutationBatch()
  for (let i = 0; i < 50; i++) {
    batch.put(Buffer.from(`row${i}`), Buffer.from('f'), Buffer.from('q'), Buffer.alloc(i, 'v'), BigInt(i))
  }
  return batch.cells.block()
}
