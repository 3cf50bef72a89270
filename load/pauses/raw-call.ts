/** One call of native RPC on a connection of its own, for messages that no client makes. */

import { connect } from 'node:net'
import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf'
import type { CellBlock } from '../../src/model/cell-block.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { encodeConnectionStart } from '../../src/wire/rpc/connection-preamble.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../src/wire/rpc/request-frame.ts'
import { ResponseFrame } from '../../src/wire/rpc/response-frame.ts'
import { rpcMethod } from '../../src/wire/rpc/rpc-method.ts'
import { OWNER } from './attacked-server.ts'
import type { Attacked } from './scene.ts'

const LENGTH_BYTES = 4

/** The frame of a request of a method of a region server. */
export function frameOf<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  message: MessageInitShape<Input>,
  cells: readonly CellBlock[] = [],
): Buffer {
  const writer = new MessageWriter()
  writeRequest(writer, { callId: 1 }, rpcMethod(method), message, cells)
  return Buffer.from(writer.take())
}

/** Sends a frame to the server of the table's first region; resolves to the size of the answer, or to the exception's name. */
export async function rawCall(attacked: Attacked, frame: Buffer): Promise<string> {
  const [region] = await attacked.store.catalog.regions(attacked.table, OWN_CALL)
  const { host = '127.0.0.1', port = attacked.server.port } = region?.server ?? {}
  const answer = await exchange(
    host,
    port,
    Buffer.concat([encodeConnectionStart({ service: 'ClientService', user: OWNER }), frame]),
  )
  const response = new ResponseFrame()
  response.read(answer, LENGTH_BYTES, answer.length)
  return response.exception === undefined ? `${answer.length} bytes` : response.exception.javaClass
}

function exchange(host: string, port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => socket.write(bytes))
    const pieces: Buffer[] = []
    let length = 0
    let expected = Number.POSITIVE_INFINITY
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece)
      length += piece.length
      if (expected === Number.POSITIVE_INFINITY && length >= LENGTH_BYTES)
        expected = LENGTH_BYTES + Buffer.concat(pieces).readInt32BE(0)
      if (length < expected) return
      socket.destroy()
      resolve(Buffer.concat(pieces))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the server closed the connection')))
  })
}
