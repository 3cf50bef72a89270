import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import { decodeConnectionHeader, decodePreamble } from '../../../../src/wire/rpc/connection-preamble.ts'
import { FrameReader } from '../../../../src/wire/rpc/frame-reader.ts'
import type { ConnectionHeader } from '../../../../src/wire/rpc/gen/rpc_pb.ts'
import { MessageWriter } from '../../../../src/wire/rpc/message-writer.ts'
import type { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { type RequestFrame, readRequest } from '../../../../src/wire/rpc/request-frame.ts'
import { writeExceptionResponse, writeResponse } from '../../../../src/wire/rpc/response-frame.ts'

/** One request as the server got it, and ways to answer. */
export interface FakeCall {
  readonly header: RequestFrame
  readonly parameter: Buffer
  readonly cells: Buffer
  readonly socket: Socket
  reply(message: Uint8Array, cells?: Buffer): void
  fail(exception: RemoteException): void
}

export type FakeHandler = (call: FakeCall) => void

/** A server that speaks the frames and leaves the rest to a script. */
export class FakeRegionServer {
  readonly sockets: Socket[] = []
  readonly headers: ConnectionHeader[] = []
  readonly #server: Server
  readonly #handler: FakeHandler

  private constructor(handler: FakeHandler) {
    this.#handler = handler
    this.#server = createServer((socket) => this.#onConnection(socket))
  }

  static async start(handler: FakeHandler): Promise<FakeRegionServer> {
    const server = new FakeRegionServer(handler)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Connections that are open. */
  get open(): number {
    return this.sockets.filter((socket) => !socket.destroyed).length
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #onConnection(socket: Socket): void {
    this.sockets.push(socket)
    socket.on('error', () => socket.destroy())
    let preamble = Buffer.alloc(0)
    let header: ConnectionHeader | undefined
    const frames = new FrameReader(2 ** 30, (buffer, start, end) => {
      if (header === undefined) {
        header = decodeConnectionHeader(buffer.subarray(start, end))
        this.headers.push(header)
      } else answerRequest(this.#handler, socket, (bytes) => void socket.write(bytes), buffer, start, end)
    })
    socket.on('data', (bytes: Buffer) => {
      if (preamble.length === 6) return frames.push(bytes)
      preamble = Buffer.concat([preamble, bytes])
      if (preamble.length < 6) return
      const rest = preamble.subarray(6)
      preamble = preamble.subarray(0, 6)
      if (decodePreamble(preamble)?.authentication !== 0x50) socket.destroy()
      frames.push(rest)
    })
  }
}

/** Gives a request to a script, whose answers go out by `send`. */
export function answerRequest(
  handler: FakeHandler,
  socket: Socket,
  send: (bytes: Buffer) => void,
  buffer: Buffer,
  start: number,
  end: number,
): void {
  const header = readRequest(buffer, start, end)
  const writer = new MessageWriter()
  handler({
    header,
    parameter: buffer.subarray(header.parameter?.start ?? 0, header.parameter?.end ?? 0),
    cells: header.cells.buffer.subarray(header.cells.start, header.cells.end),
    socket,
    reply(message, cells = Buffer.alloc(0)) {
      writeResponse(writer, header.callId, (into) => into.raw(message), [new CellBlock(cells)])
      send(writer.take())
    },
    fail(exception) {
      writeExceptionResponse(writer, header.callId, exception)
      send(writer.take())
    },
  })
}
