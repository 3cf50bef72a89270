/** Requests that come in pieces while little memory is free. */

import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { encodeConnectionStart } from '../../../src/wire/rpc/connection-preamble.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../../src/wire/rpc/request-frame.ts'
import { ResponseFrame } from '../../../src/wire/rpc/response-frame.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { type RpcServer, startRpcServer } from './rpc-server.ts'

const START = encodeConnectionStart({ service: 'ClientService', user: 'me' })
const MISSING = Buffer.from('t,,1.0123456789abcdef0123456789abcdef.')

let server: RpcServer

afterEach(() => server.close())

/** A Get of a region that is not there, of some length. */
function getFrame(callId: number, bytes: number): Buffer {
  const encode = (_: undefined, writer: MessageWriter): void => {
    const region = writer.begin(Field.GetRequest.region)
    writer.bytes(Field.RegionSpecifier.value, MISSING)
    writer.end(region)
    const message = writer.begin(Field.GetRequest.get)
    writer.bytes(Field.Get.row, Buffer.from('r'))
    const column = writer.begin(Field.Get.column)
    writer.bytes(Field.Column.qualifier, Buffer.alloc(bytes))
    writer.end(column)
    writer.end(message)
  }
  const writer = new MessageWriter()
  const method = { service: 'ClientService', name: 'Get', encode, decode: () => undefined }
  writeRequest(writer, { callId }, method, undefined, [])
  return writer.take()
}

/** The ids of answered calls, until so many have come or the connection ends. */
function answeredIds(socket: Socket, count: number): Promise<number[]> {
  return new Promise((resolve) => {
    const ids: number[] = []
    let all = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      all = Buffer.concat([all, chunk])
      while (all.length >= 4 && all.length >= 4 + all.readInt32BE(0)) {
        const end = 4 + all.readInt32BE(0)
        const frame = new ResponseFrame()
        frame.read(all, 4, end)
        ids.push(frame.callId)
        all = all.subarray(end)
      }
      if (ids.length >= count) resolve(ids)
    })
    socket.once('close', () => resolve(ids))
  })
}

function writeInPieces(socket: Socket, bytes: Buffer, pieces: readonly number[]): void {
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const length = pieces[i % pieces.length]!
    socket.write(bytes.subarray(at, at + length))
    at += length
  }
}

test('each call of a pipeline is answered once, whether there is memory for it or not', async () => {
  server = await startRpcServer({ memoryBytesMax: 100_000 })
  const small = fc.array(fc.nat({ max: 2000 }), { minLength: 1, maxLength: 150, size: 'max' })
  const mixed = fc.array(fc.oneof(fc.nat({ max: 2000 }), fc.nat({ max: 60_000 })), {
    minLength: 1,
    maxLength: 30,
    size: 'max',
  })
  const requests = fc.oneof(small, mixed)
  const pieces = fc.array(fc.integer({ min: 1000, max: 300_000 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(requests, pieces, async (sizes, cuts) => {
      const socket = connect(server.door.port, '127.0.0.1')
      const ids = answeredIds(socket, sizes.length)
      const frames = sizes.map((bytes, index) => getFrame(index + 1, bytes))
      writeInPieces(socket, Buffer.concat([START, ...frames]), cuts)
      expect((await ids).toSorted((a, b) => a - b)).toEqual(sizes.map((_, index) => index + 1))
      socket.destroy()
    }),
    { numRuns: testRuns(40) },
  )
  await vi.waitFor(() => expect(server.memory.granted).toBe(0))
})

test('requests that have begun to come take memory, and beyond it they wait', async () => {
  server = await startRpcServer({ memoryBytesMax: 200_000 })
  const { memory } = server
  const begun = Buffer.concat([START, getFrame(1, 500_000).subarray(0, 20_000)])
  const sockets = Array.from({ length: 20 }, () => connect(server.door.port, '127.0.0.1'))
  for (const socket of sockets) socket.write(begun)
  await vi.waitFor(() => expect([memory.granted > 100_000, memory.isWaitedFor]).toEqual([true, true]))
  expect(memory.granted).toBeLessThanOrEqual(200_000)
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(() => expect([memory.granted, memory.isWaitedFor]).toEqual([0, false]))
})
