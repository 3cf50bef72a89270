/** A client of native RPC: one call at a time, a new connection after the server has closed the last. */

import { connect, type Socket } from 'node:net'
import {
  create,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire'
import { AdminService } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { ClientMetaService } from '../../../src/wire/rpc/gen/registry_pb.ts'
import {
  ConnectionHeaderSchema,
  type ExceptionResponse,
  RequestHeaderSchema,
  ResponseHeaderSchema,
} from '../../../src/wire/rpc/gen/rpc_pb.ts'
import type { RpcFields, RpcRelease, RpcRequest } from './case.ts'
import { encodeCells } from './rpc-cells.ts'

const PREAMBLE = Buffer.from('HBas\x00\x50', 'latin1')
const CODEC = 'org.apache.hadoop.hbase.codec.KeyValueCodec'
const RELEASE: RpcRelease = { version: '2.6.1', major: 2, minor: 6 }
const EMPTY_FIELDS = { url: '', revision: '', user: 'conf', date: '', srcChecksum: '' }
const LENGTH_BYTES = 4
const CALL_ID = 7

const SERVICES = { ClientService, ClientMetaService, AdminService, MasterService } as const

export interface RpcMethodSchema {
  readonly input: DescMessage
  readonly output: DescMessage
}

export type RpcAnswer =
  | {
      readonly kind: 'result'
      readonly message: Message
      readonly schema: DescMessage
      readonly cells: Buffer
    }
  | { readonly kind: 'exception'; readonly exception: ExceptionResponse }

/** Throws where idl/rpc has no such method. */
export function rpcMethod({ service, method }: Pick<RpcRequest, 'service' | 'method'>): RpcMethodSchema {
  const found = SERVICES[service].methods.find(({ name }) => name === method)
  if (found === undefined) throw new Error(`${service} has no method ${method}`)
  return found
}

export class RpcClient {
  readonly #address: { readonly host: string; readonly port: number }
  readonly #service: string
  readonly #codec: string | undefined
  readonly #release: RpcRelease
  readonly #timeoutMs: number
  #socket: Socket | undefined

  constructor(
    address: { readonly host: string; readonly port: number },
    { service, withoutCodec, release = RELEASE }: Pick<RpcRequest, 'service' | 'withoutCodec' | 'release'>,
    timeoutMs: number,
  ) {
    this.#address = address
    this.#service = service
    this.#codec = withoutCodec === true ? undefined : CODEC
    this.#release = release
    this.#timeoutMs = timeoutMs
  }

  /** `message`: the request's, without placeholders. Rejects where the server does not answer in time, or closes the connection. */
  async call(request: RpcRequest, message: RpcFields): Promise<RpcAnswer> {
    const { input, output } = rpcMethod(request)
    const cells = encodeCells(request.cells ?? [])
    const header = create(RequestHeaderSchema, {
      callId: CALL_ID,
      methodName: request.method,
      requestParam: true,
      ...(request.cells !== undefined && { cellBlockMeta: { length: cells.length } }),
    })
    const body = Buffer.from(toBinary(input, create(input, message as never)))
    const head = Buffer.from(toBinary(RequestHeaderSchema, header))
    const socket = await this.#connected()
    try {
      const frame = await this.#exchange(socket, framed([delimited(head), delimited(body), cells]))
      return decodeAnswer(frame, output)
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #connected(): Promise<Socket> {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket
    const socket = connect({ ...this.#address, noDelay: true })
    this.#socket = socket
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    const header = create(ConnectionHeaderSchema, {
      userInfo: { effectiveUser: 'conf' },
      serviceName: this.#service,
      ...versionInfoOf(this.#release),
      ...(this.#codec !== undefined && { cellBlockCodecClass: this.#codec }),
    })
    socket.write(Buffer.concat([PREAMBLE, framed([Buffer.from(toBinary(ConnectionHeaderSchema, header))])]))
    return socket
  }

  /** Resolves to the frame of the answer, without its length. */
  #exchange(socket: Socket, request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      const settle = (action: () => void): void => {
        clearTimeout(timer)
        socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error')
        socket.on('error', () => undefined)
        action()
      }
      const timer = setTimeout(
        () => settle(() => reject(new Error(`no answer within ${this.#timeoutMs} ms`))),
        this.#timeoutMs,
      )
      socket.on('error', (error) => settle(() => reject(error)))
      socket.on('close', () => settle(() => reject(new Error('the server closed the connection'))))
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        const received = Buffer.concat(chunks)
        if (received.length < LENGTH_BYTES) return
        const end = LENGTH_BYTES + received.readInt32BE(0)
        if (received.length >= end) settle(() => resolve(received.subarray(LENGTH_BYTES, end)))
      })
      socket.write(request)
    })
  }
}

function versionInfoOf(
  release: RpcRelease,
): Pick<MessageInitShape<typeof ConnectionHeaderSchema>, 'versionInfo'> {
  if (release === 'none') return {}
  const { version, major: versionMajor, minor: versionMinor } = release
  const fields = {
    ...(versionMajor !== undefined && { versionMajor }),
    ...(versionMinor !== undefined && { versionMinor }),
  }
  return { versionInfo: { version, ...fields, ...EMPTY_FIELDS } }
}

function framed(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function delimited(bytes: Buffer): Buffer {
  return Buffer.from(new BinaryWriter().bytes(bytes).finish())
}

function decodeAnswer(frame: Buffer, schema: DescMessage): RpcAnswer {
  const reader = new BinaryReader(frame)
  const header = fromBinary(ResponseHeaderSchema, reader.bytes())
  if (header.exception !== undefined) return { kind: 'exception', exception: header.exception }
  const message = fromBinary(schema, reader.bytes())
  const cells = frame.subarray(reader.pos)
  if (cells.length !== (header.cellBlockMeta?.length ?? 0))
    throw new Error('the cell block has another length')
  return { kind: 'result', message, schema, cells }
}
