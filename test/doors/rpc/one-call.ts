/** One call of a client of the native RPC door, with the messages as the client sees them. */

import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { type CellParts } from '../../../src/model/cell.ts'
import { CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import { KEY_VALUE_CODEC } from '../../../src/wire/rpc/connection-preamble.ts'
import { ConnectionHeaderSchema } from '../../../src/wire/rpc/gen/rpc_pb.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import type { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { writeRequest } from '../../../src/wire/rpc/request-frame.ts'
import { ResponseFrame } from '../../../src/wire/rpc/response-frame.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { exchange } from './rpc-server.ts'

export interface OneCallOptions {
  /** The class of the client's codec. Empty for a client without one: cells then travel within messages. */
  readonly codec?: string
  /** The cells of the request, in the codec's form. */
  readonly cells?: Buffer
  /** The first bytes of the connection; a login may follow. */
  readonly preamble?: Buffer
  /** Of the connection header. */
  readonly user?: string
  /** The client's release as text in the header, which then has no numbers for it; empty for a client without a version. */
  readonly release?: string | undefined
}

/** HBase sends cells of a get within the message to clients before 1.3, and to those that state no version. */
const WORDS = { url: '', revision: '', user: '', date: '', srcChecksum: '' }
const VERSION = { version: '2.6.1', versionMajor: 2, versionMinor: 6, ...WORDS }
export const PREAMBLE: Buffer = Buffer.from('HBas\0\x50', 'latin1')

export interface OneAnswer<T> {
  readonly message: T
  /** The cell block of the answer, in the codec's form. */
  readonly block: Buffer
  /** The cells of the answer, where the codec is that of plain cells. */
  cells(): CellParts[]
}

/** Throws the server's RemoteException. */
export async function oneCall<Input extends DescMessage, Output extends DescMessage>(
  port: number | string,
  method: DescMethodUnary<Input, Output>,
  message: MessageInitShape<Input>,
  {
    codec = KEY_VALUE_CODEC,
    cells = Buffer.alloc(0),
    preamble = PREAMBLE,
    user = 'tester',
    release,
  }: OneCallOptions = {},
): Promise<OneAnswer<MessageShape<Output>>> {
  const writer = new MessageWriter()
  const blocks = cells.length === 0 ? [] : [new CellBlock(cells)]
  writeRequest(writer, { callId: 1 }, rpcMethod(method), message, blocks)
  const bytes = Buffer.concat([
    preamble,
    startOf({ service: method.parent.name, codec, user, release }),
    writer.take(),
  ])
  const answer = await exchange(port, bytes, (all) => all.length > 4 && all.length >= 4 + all.readInt32BE(0))
  const frame = new ResponseFrame()
  frame.read(answer, 4, 4 + answer.readInt32BE(0))
  if (frame.exception !== undefined) throw frame.exception satisfies RemoteException
  const { cells: block } = frame
  return {
    message: fromBinary(method.output, answer.subarray(frame.messageStart, frame.messageEnd)),
    block: block.buffer.subarray(block.start, block.end),
    cells: () => cellsOf(block),
  }
}

export interface Started extends Pick<OneCallOptions, 'codec' | 'user' | 'release'> {
  readonly service: string
}

/** The connection header behind its length. */
export function startOf({
  service: serviceName,
  codec = KEY_VALUE_CODEC,
  user: effectiveUser = 'tester',
  release,
}: Started): Buffer {
  const userInfo = { effectiveUser }
  const stated = release === undefined ? VERSION : { ...WORDS, version: release }
  const header = toBinary(
    ConnectionHeaderSchema,
    create(ConnectionHeaderSchema, {
      userInfo,
      serviceName,
      ...(codec !== '' && { cellBlockCodecClass: codec }),
      ...(release !== '' && { versionInfo: stated }),
    }),
  )
  const length = Buffer.alloc(4)
  length.writeInt32BE(header.length)
  return Buffer.concat([length, header])
}
