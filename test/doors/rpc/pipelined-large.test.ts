/** Many requests in one packet, each with a large answer, and little memory for them. */

import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { blockOf } from '../../../src/model/cell-block.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../src/store/decorate.ts'
import type { Rows } from '../../../src/store/rows.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../../src/wire/rpc/request-frame.ts'
import { ResponseFrame } from '../../../src/wire/rpc/response-frame.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { PREAMBLE, startOf } from './one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

const GETS = 24
const MEMORY_BYTES = 24_000_000
const row = Buffer.from('a')
/** More than two million bytes, which are written in several turns. */
const WIDE = Array.from({ length: 7000 }, (_, i) => ({
  row,
  family: Buffer.from('f'),
  qualifier: Buffer.from(`q${i}`),
  timestamp: 1n,
  type: 4,
  value: Buffer.alloc(300, 'v'),
}))

function serverOf(get: Rows['get']): Promise<RpcServer> {
  const own = openMemoryStore({ clock: Date })
  const store = withFacets(own, { rows: withMethods(own.rows, { get }) })
  return startRpcServer({ memoryBytesMax: MEMORY_BYTES, own: store })
}

/** Sends many gets of the row in one packet, without a codec. Returns the exceptions of the answers. */
async function refusals({ store, door }: RpcServer): Promise<string[]> {
  const [region] = await store.catalog.regions(TABLE, OWN_CALL)
  const writer = new MessageWriter()
  const message = { region: { type: 1, value: region!.name }, get: { row } } as const
  for (let callId = 1; callId <= GETS; callId++)
    writeRequest(writer, { callId }, rpcMethod(ClientService.method.get), message, [])
  const socket = connect(door.port, '127.0.0.1')
  socket.write(Buffer.concat([PREAMBLE, startOf({ service: 'ClientService', codec: '' }), writer.take()]))
  const refused: string[] = []
  let answers = 0
  let all = Buffer.alloc(0)
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    all = Buffer.concat([all, chunk])
    while (all.length >= 4 && all.length >= 4 + all.readInt32BE(0)) {
      const end = 4 + all.readInt32BE(0)
      const frame = new ResponseFrame()
      frame.read(all, 4, end)
      if (frame.exception !== undefined) refused.push(frame.exception.javaClass)
      all = all.subarray(end)
      answers++
    }
    if (answers === GETS) break
  }
  return refused
}

test('an answer counts for those behind it before it is written', async () => {
  const cells = blockOf(WIDE)
  const server = await serverOf(() => Promise.resolve({ cells, counts: [WIDE.length] }))
  expect(await refusals(server)).toEqual([])
  await server.close()
})

test('before the first answer is known, few calls that take many turns run', async () => {
  const cells = blockOf(WIDE.slice(0, 1))
  let begun = 0
  let begunBeforeFirst = 0
  const server = await serverOf(async () => {
    begun++
    for (let turn = 0; turn < 24; turn++) await nextTurn()
    if (begunBeforeFirst === 0) begunBeforeFirst = begun
    return { cells, counts: [1] }
  })
  expect(await refusals(server)).toEqual([])
  expect(begun).toBe(GETS)
  expect(begunBeforeFirst).toBeLessThan(10)
  await server.close()
})
