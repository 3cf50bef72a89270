import { connect } from 'node:net'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { KEY_VALUE_CODEC } from '../../../src/wire/rpc/connection-preamble.ts'
import type { ClusterStatus } from '../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { ConnectionHeaderSchema } from '../../../src/wire/rpc/gen/rpc_pb.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../../src/wire/rpc/request-frame.ts'
import { ResponseFrame } from '../../../src/wire/rpc/response-frame.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'

const PREAMBLE = Buffer.from('HBas\0\x50', 'latin1')

/** The whole status as the message that a master answers, with the fields that Tidegate's own client leaves out. */
export async function clusterStatus(port: number): Promise<ClusterStatus> {
  const method = MasterService.method.getClusterStatus
  const header = toBinary(
    ConnectionHeaderSchema,
    create(ConnectionHeaderSchema, {
      userInfo: { effectiveUser: 'figures' },
      serviceName: MasterService.name,
      cellBlockCodecClass: KEY_VALUE_CODEC,
    }),
  )
  const length = Buffer.alloc(4)
  length.writeInt32BE(header.length)
  const writer = new MessageWriter()
  writeRequest(writer, { callId: 1 }, rpcMethod(method), {}, [])
  const answer = await answerTo(port, Buffer.concat([PREAMBLE, length, header, writer.take()]))
  const frame = new ResponseFrame()
  frame.read(answer, 4, 4 + answer.readInt32BE(0))
  if (frame.exception !== undefined) throw frame.exception
  return fromBinary(method.output, answer.subarray(frame.messageStart, frame.messageEnd)).clusterStatus!
}

/** The first frame that the server sends. */
function answerTo(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let all: Buffer = Buffer.alloc(0)
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk: Buffer) => {
      all = Buffer.concat([all, chunk])
      if (all.length > 4 && all.length >= 4 + all.readInt32BE(0)) socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(all))
    socket.write(bytes)
  })
}
