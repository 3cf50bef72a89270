/** A client of native RPC that logs in by SASL and speaks byte by byte. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { create, toBinary } from '@bufbuild/protobuf'
import { KEY_VALUE_CODEC } from '../../src/wire/rpc/connection-preamble.ts'
import { ConnectionHeaderSchema } from '../../src/wire/rpc/gen/rpc_pb.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import type { RemoteException } from '../../src/wire/rpc/remote-exception.ts'
import { writeRequest } from '../../src/wire/rpc/request-frame.ts'
import { ResponseFrame } from '../../src/wire/rpc/response-frame.ts'
import type { RpcMethod } from '../../src/wire/rpc/rpc-method.ts'
import type { SaslExchange, SaslLayer } from '../../src/wire/sasl/sasl.ts'

/** Codes of authentication in a preamble. */
export const AuthCode = { simple: 0x50, kerberos: 0x51, digest: 0x52 } as const
const EMPTY = Buffer.alloc(0)

/** The server's refusal of a message of SASL. */
export class SaslRefused extends Error {
  readonly javaClass: string

  constructor(javaClass: string, message: string) {
    super(message)
    this.javaClass = javaClass
  }
}

export interface TalkHeader {
  readonly service?: string
  readonly user?: string
  readonly realUser?: string
  readonly cipher?: string
}

export class SaslTalk {
  readonly socket: Socket
  layer: SaslLayer | undefined
  #received: Buffer = EMPTY
  #plain: Buffer = EMPTY
  #wake: (() => void) | undefined
  #callId = 0
  readonly closed: Promise<void>

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.#wake?.()
    })
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#wake?.()
        resolve()
      })
    })
  }

  /** `from`: the client's address. */
  static async open(port: number, from = '127.0.0.1'): Promise<SaslTalk> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    await once(socket, 'connect')
    return new SaslTalk(socket)
  }

  preamble(code: number): void {
    this.socket.write(Buffer.from([...Buffer.from('HBas'), 0, code]))
  }

  /** Sends a message of SASL. */
  token(token: Buffer): void {
    this.socket.write(behindLength(token))
  }

  /** The server's token. Rejects with SaslRefused. */
  async answer(): Promise<Buffer> {
    const status = (await this.#read(4)).readInt32BE()
    const first = await this.#read((await this.#read(4)).readInt32BE())
    if (status === 0) return first
    const message = await this.#read((await this.#read(4)).readInt32BE())
    throw new SaslRefused(first.toString(), message.toString())
  }

  /** Logs in. Rejects with SaslRefused. */
  async logIn(code: number, exchange: SaslExchange): Promise<void> {
    this.preamble(code)
    for (let received: Buffer = EMPTY; ; received = await this.answer()) {
      const { token, isDone } = await exchange.step(received)
      if (token !== undefined) this.token(token)
      if (isDone) break
    }
    this.layer = exchange.layer
  }

  header({ service = 'ClientService', user, realUser, cipher }: TalkHeader = {}): void {
    const schema = ConnectionHeaderSchema
    const header = create(schema, {
      serviceName: service,
      cellBlockCodecClass: KEY_VALUE_CODEC,
      ...(user !== undefined && {
        userInfo: { effectiveUser: user, ...(realUser !== undefined && { realUser }) },
      }),
      ...(cipher !== undefined && { rpcCryptoCipherTransformation: cipher }),
    })
    this.send(behindLength(Buffer.from(toBinary(schema, header))))
  }

  /** Sends bytes, protected as the login has agreed. `pieceBytes`: most bytes of one message. */
  send(bytes: Buffer, pieceBytes: number = bytes.length): void {
    if (this.layer === undefined) {
      this.socket.write(bytes)
      return
    }
    for (let at = 0; at < bytes.length; at += pieceBytes)
      this.socket.write(behindLength(this.layer.wrap(bytes.subarray(at, at + pieceBytes))))
  }

  /** The frame of a call. */
  request<Request, Response>(method: RpcMethod<Request, Response>, message: Request): Buffer {
    const writer = new MessageWriter()
    writeRequest(writer, { callId: ++this.#callId }, method, message, [])
    return Buffer.from(writer.take())
  }

  /** One call. Rejects with the server's RemoteException. */
  async call<Request, Response>(
    method: RpcMethod<Request, Response>,
    message: Request,
    pieceBytes?: number,
  ): Promise<Response> {
    const request = this.request(method, message)
    this.send(request, pieceBytes ?? request.length)
    const frame = await this.response()
    if (frame.exception !== undefined) throw frame.exception satisfies RemoteException
    return method.decode(frame.bytes, frame.messageStart, frame.messageEnd)
  }

  /** The next response. Rejects where the connection ends before. */
  async response(): Promise<ResponseFrame & { readonly bytes: Buffer }> {
    const length = (await this.#readPlain(4)).readInt32BE()
    const bytes = await this.#readPlain(length)
    const frame = new ResponseFrame()
    frame.read(bytes, 0, length)
    return Object.assign(frame, { bytes })
  }

  /** A message of the server that is no response, such as the keys that a connection header has asked for. */
  async message(): Promise<Buffer> {
    return await this.#readPlain((await this.#readPlain(4)).readInt32BE())
  }

  /** Bytes of answers, without their protection. */
  async #readPlain(length: number): Promise<Buffer> {
    if (this.layer === undefined) return await this.#read(length)
    while (this.#plain.length < length) {
      const token = await this.#read((await this.#read(4)).readInt32BE())
      this.#plain = Buffer.concat([this.#plain, this.layer.unwrap(token)])
    }
    const bytes = this.#plain.subarray(0, length)
    this.#plain = this.#plain.subarray(length)
    return bytes
  }

  async #read(length: number): Promise<Buffer> {
    while (this.#received.length < length) {
      if (this.socket.destroyed || this.socket.readableEnded)
        throw new Error(`the connection ended: ${this.#received.length} bytes of ${length}`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const bytes = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return bytes
  }

  close(): void {
    this.socket.destroy()
  }
}

export function behindLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
