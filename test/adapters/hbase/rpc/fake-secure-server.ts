/** A server of HBase that asks for Kerberos: see fake-kerberos.ts. Behind the login it is a FakeRegionServer. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { decodeConnectionHeader } from '../../../../src/wire/rpc/connection-preamble.ts'
import {
  CryptoAesLayer,
  encodeConnectionHeaderResponse,
  newCryptoAesKeys,
} from '../../../../src/wire/rpc/crypto-aes.ts'
import { FrameReader } from '../../../../src/wire/rpc/frame-reader.ts'
import type { ConnectionHeader } from '../../../../src/wire/rpc/gen/rpc_pb.ts'
import { encodeSaslAnswer, type SaslAnswer } from '../../../../src/wire/rpc/sasl-answer.ts'
import { encodePrincipalAnswer } from '../../../../src/wire/rpc/security-preamble.ts'
import { WrappedReader, wrapInPieces } from '../../../../src/wire/rpc/wrapped-frames.ts'
import type { Protection, SaslLayer } from '../../../../src/wire/sasl/sasl.ts'
import { behindLength } from '../../../harness/sasl-talk.ts'
import { FakeLayer } from './fake-kerberos.ts'
import { answerRequest, type FakeHandler } from './fake-region-server.ts'

export interface FakeSecurity {
  readonly principal?: string
  /** Answers the token with that number in place of its own answer; undefined: its own. An empty buffer: no answer. */
  readonly saslAnswer?: (token: string, number: number) => Buffer | undefined
  /** The answer to the question for its principal; default: the principal. */
  readonly securi?: (socket: Socket) => Buffer
  /** Frames before the first answer; they are not protected. */
  readonly onHeader?: (header: ConnectionHeader, socket: Socket) => Buffer | undefined
  readonly hasAes?: boolean
  /** Sends each protected message in pieces of that many bytes, so that frames are torn. */
  readonly pieceBytes?: number
  /** Sends each piece in one token, as HBase does. */
  readonly hasLargeTokens?: boolean
}

export class FakeSecureServer {
  readonly sockets: Socket[] = []
  readonly headers: ConnectionHeader[] = []
  /** The first bytes that clients have sent: preambles, and the tokens of logins. */
  readonly said: string[] = []
  /** All received bytes behind logins. */
  readonly received: Buffer[] = []
  readonly #security: FakeSecurity
  readonly #handler: FakeHandler
  readonly #server: Server

  private constructor(security: FakeSecurity, handler: FakeHandler) {
    this.#security = security
    this.#handler = handler
    this.#server = createServer((socket) => this.#onConnection(socket))
  }

  static async start(security: FakeSecurity, handler: FakeHandler): Promise<FakeSecureServer> {
    const server = new FakeSecureServer(security, handler)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #onConnection(socket: Socket): void {
    this.sockets.push(socket)
    socket.on('error', () => socket.destroy())
    const { principal = 'hbase/host1@REALM', securi, saslAnswer } = this.#security
    let received = Buffer.alloc(0)
    let hasPreamble = false
    let tokens = 0
    let behind: ((bytes: Buffer) => void) | undefined
    const read = (): void => {
      if (behind !== undefined) {
        const bytes = received
        received = Buffer.alloc(0)
        this.received.push(bytes)
        behind(bytes)
        return
      }
      if (!hasPreamble) {
        if (received.length < 6) return
        const preamble = received.toString('latin1', 0, 6)
        received = received.subarray(6)
        this.said.push(preamble)
        if (preamble === 'Securi') socket.write(securi?.(socket) ?? encodePrincipalAnswer(principal))
        else hasPreamble = true
        read()
        return
      }
      if (received.length < 4) return
      const end = 4 + received.readInt32BE()
      if (received.length < end) return
      const token = received.toString('latin1', 4, end)
      received = received.subarray(end)
      this.said.push(token)
      const own = this.#answer(token, principal)
      const answer = saslAnswer?.(token, tokens++) ?? (own && encodeSaslAnswer(own))
      if (answer !== undefined) socket.write(answer)
      const isSimple = answer?.length === 8 && answer.readInt32BE(4) === -88
      if (isSimple) behind = this.#frames(socket, 'authentication')
      else if (token.startsWith('choice ')) behind = this.#frames(socket, token.slice(7) as Protection)
      read()
    }
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      read()
    })
  }

  #answer(token: string, principal: string): SaslAnswer | undefined {
    if (token === '') return { kind: 'token', token: Buffer.from('offer') }
    if (!token.startsWith('hello ')) return undefined
    if (token === `hello ${principal}`) return { kind: 'token', token: Buffer.from('welcome') }
    return { kind: 'refused', javaClass: 'javax.security.sasl.SaslException', message: 'GSS initiate failed' }
  }

  /** The traffic behind a login. */
  #frames(socket: Socket, protection: Protection): (bytes: Buffer) => void {
    let layer: SaslLayer | undefined = protection === 'authentication' ? undefined : new FakeLayer(protection)
    const { pieceBytes = Infinity, onHeader, hasAes, hasLargeTokens = false } = this.#security
    const send = (bytes: Buffer): void => {
      if (layer === undefined) {
        socket.write(bytes)
        return
      }
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        if (hasLargeTokens) {
          socket.write(behindLength(layer.wrap(bytes.subarray(at, at + pieceBytes))))
          continue
        }
        for (const { length, token } of wrapInPieces(layer, bytes.subarray(at, at + pieceBytes)))
          socket.write(Buffer.concat([length, token]))
      }
    }
    let header: ConnectionHeader | undefined
    const frame = (buffer: Buffer, start: number, end: number): void => {
      if (header !== undefined) {
        answerRequest(this.#handler, socket, send, buffer, start, end)
        return
      }
      header = decodeConnectionHeader(buffer.subarray(start, end))
      this.headers.push(header)
      const first = onHeader?.(header, socket)
      if (first !== undefined) socket.write(first)
      if (hasAes !== true || header.rpcCryptoCipherTransformation === '' || protection !== 'privacy') return
      const keys = newCryptoAesKeys()
      const answer = encodeConnectionHeaderResponse(keys)
      const length = Buffer.alloc(4)
      length.writeInt32BE(answer.length)
      send(Buffer.concat([length, answer]))
      layer = reader!.layer = new CryptoAesLayer(keys)
    }
    if (layer === undefined) {
      const frames = new FrameReader(2 ** 30, frame)
      return (bytes) => frames.push(bytes)
    }
    const reader: WrappedReader | undefined = new WrappedReader(layer, 2 ** 30, frame)
    const tokens = new FrameReader(2 ** 30, (buffer, start, end) => reader.take(buffer.subarray(start, end)))
    return (bytes) => tokens.push(bytes)
  }
}
