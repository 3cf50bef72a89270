/**
 * Finds the protocol that a server speaks: asks one harmless question in each. The questions carry no secret, so that the server's
 * certificate needs no trust.
 */

import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { addressText } from '../../../adapters/hbase/config/cluster-address.ts'
import {
  registryAnswer,
  ZOOKEEPER_GOODBYE,
  ZOOKEEPER_QUESTION,
} from '../../../adapters/hbase/registry/registry-probe.ts'
import type { Endpoint } from '../../../adapters/servers/requests/server-options.ts'
import { EMPTY } from '../../model/bytes.ts'
import { ThriftClientCodec } from '../../wire/thrift/client-codec.ts'
import { loadSchema } from '../../wire/thrift/idl-files.ts'
import { FrameCutter } from '../../wire/zookeeper/frames.ts'

export type SpokenProtocol =
  | 'zookeeper'
  | 'rpc'
  | 'thrift'
  | 'thrift/framed'
  | 'thrift/http'
  /** A server of Thrift 1, by any transport. */
  | 'thrift1'
  | 'rest'
  /** HTTP, and none of the above as far as a client without a login can see. */
  | 'http'

export interface Spoken {
  /** Undefined: none of those that are asked. */
  readonly protocol: SpokenProtocol | undefined
  readonly isTls: boolean
}

interface Wire extends Endpoint {
  readonly isTls: boolean
}

/** The wait for one answer. A server that answers later remains unknown. */
const ANSWER_MS = 3_000
const ANSWER_BYTES_MAX = 64 * 1024

/** A method that Thrift 2 alone has; it changes nothing, as no scanner has this id. */
const THRIFT_CALL = thriftCall()
/** The strict binary protocol's version, and below it the type of an answer. Thrift: TBinaryProtocol, TMessageType. */
const THRIFT_REPLY = Buffer.of(0x80, 0x01, 0x00, 0x02)
const THRIFT_EXCEPTION = Buffer.of(0x80, 0x01, 0x00, 0x03)
const FRAME_BYTES = 4
const VERSION_PATH = '/version/cluster'

/** Undefined where nothing listens. Of a server that speaks several protocols, the answer is `expected`. */
export async function spokenBy(server: Endpoint, expected?: SpokenProtocol): Promise<Spoken | undefined> {
  const isTls = await speaksTls(server)
  if (isTls === undefined) return undefined
  return { protocol: await protocolOf({ ...server, isTls }, expected), isTls }
}

/** Whether a server over HTTP answers a question of either interface to a client that does not say who it is. */
export async function answersWithoutLogin(server: Endpoint, isTls: boolean): Promise<boolean> {
  const protocol = await httpProtocol({ ...server, isTls })
  return protocol !== undefined && protocol !== 'http'
}

async function protocolOf(wire: Wire, expected?: SpokenProtocol): Promise<SpokenProtocol | undefined> {
  const [thrift, registry, http] = [thriftProtocol(wire, false), registryProtocol(wire), httpProtocol(wire)]
  // One port may take Thrift by every transport.
  if (expected === 'thrift/framed' && (await thriftProtocol(wire, true)) === expected) return expected
  if (expected === 'thrift/http' && (await http)?.includes('http') === true) return http
  return (await firstAnswered([thrift, registry])) ?? (await http) ?? (await thriftProtocol(wire, true))
}

/** Resolves with the first answer that is one. */
function firstAnswered<T>(questions: readonly Promise<T | undefined>[]): Promise<T | undefined> {
  return new Promise((resolve) => {
    const asked = questions.map((question) =>
      question.then((answer) => answer !== undefined && resolve(answer)),
    )
    void Promise.all(asked).then(() => resolve(undefined))
  })
}

/** Undefined where nothing listens. */
function speaksTls({ host, port }: Endpoint): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const socket = connectTls({ host, port, rejectUnauthorized: false })
    let isConnected = false
    const settle = (isTls: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isConnected ? isTls : undefined)
    }
    const timer = setTimeout(() => settle(false), ANSWER_MS)
    socket.once('connect', () => {
      isConnected = true
    })
    socket.once('secureConnect', () => settle(true))
    socket.once('error', () => settle(false))
    socket.once('close', () => settle(false))
  })
}

function thriftProtocol(wire: Wire, isFramed: boolean): Promise<SpokenProtocol | undefined> {
  const begin = isFramed ? FRAME_BYTES : 0
  const length = Buffer.alloc(begin)
  if (isFramed) length.writeInt32BE(THRIFT_CALL.length)
  return ask<SpokenProtocol>(wire, Buffer.concat([length, THRIFT_CALL]), (bytes) => {
    if (bytes.length < begin + THRIFT_REPLY.length) return 'more'
    const head = bytes.subarray(begin, begin + THRIFT_REPLY.length)
    if (head.equals(THRIFT_EXCEPTION)) return 'thrift1'
    if (!head.equals(THRIFT_REPLY)) return undefined
    return isFramed ? 'thrift/framed' : 'thrift'
  })
}

function registryProtocol(wire: Wire): Promise<SpokenProtocol | undefined> {
  const frames = new FrameCutter(ANSWER_BYTES_MAX)
  let seen = 0
  const read = (bytes: Buffer): SpokenProtocol | 'more' | undefined => {
    const kind = registryAnswer(frames, bytes.subarray(seen))
    seen = bytes.length
    if (kind === undefined) return 'more'
    if (kind === 'unknown') return undefined
    return kind === 'bootstrap' ? 'rpc' : 'zookeeper'
  }
  return ask(wire, ZOOKEEPER_QUESTION, read, ZOOKEEPER_GOODBYE)
}

async function httpProtocol(wire: Wire): Promise<SpokenProtocol | undefined> {
  const head = `Host: ${addressText(wire)}\r\nConnection: close\r\n`
  const type = 'application/x-thrift'
  const post = `POST / HTTP/1.1\r\n${head}Content-Type: ${type}\r\nAccept: ${type}\r\nContent-Length: ${THRIFT_CALL.length}\r\n\r\n`
  const [thrift, rest] = await Promise.all([
    ask(wire, Buffer.concat([Buffer.from(post), THRIFT_CALL]), (bytes) =>
      httpAnswer(bytes, (_, body) => {
        if (body.includes(THRIFT_EXCEPTION)) return 'thrift1'
        return body.includes(THRIFT_REPLY) ? 'thrift/http' : body.length === 0 ? 'more' : 'http'
      }),
    ),
    ask(wire, Buffer.from(`GET ${VERSION_PATH} HTTP/1.1\r\n${head}Accept: text/plain\r\n\r\n`), (bytes) =>
      httpAnswer(bytes, (head) => (/\r\ncontent-type: *text\/plain/i.test(head) ? 'rest' : 'http')),
    ),
  ])
  return thrift === undefined || thrift === 'http' ? rest : thrift
}

/** `ofSuccess` reads the head and what has come of the body. */
function httpAnswer(
  bytes: Buffer,
  ofSuccess: (head: string, body: Buffer) => SpokenProtocol | 'more',
): SpokenProtocol | 'more' | undefined {
  const begin = bytes.subarray(0, 5).toString('latin1')
  if (!'HTTP/'.startsWith(begin)) return undefined
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return 'more'
  const head = bytes.toString('latin1', 0, end)
  return / 200(?: |\r|$)/.test(head.split('\r\n')[0]!) ? ofSuccess(head, bytes.subarray(end + 4)) : 'http'
}

/** `read` gets all bytes so far. Undefined where the server closes, or is silent, or answers something else. */
function ask<T>(
  { host, port, isTls }: Wire,
  question: Buffer,
  read: (bytes: Buffer) => T | 'more' | undefined,
  goodbye: Buffer = EMPTY,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const socket: Socket = isTls
      ? connectTls({ host, port, rejectUnauthorized: false })
      : connect({ host, port })
    let bytes: Buffer = EMPTY
    const settle = (answer: T | undefined): void => {
      clearTimeout(timer)
      if (answer === undefined) socket.destroy()
      else socket.end(goodbye, () => socket.destroy())
      resolve(answer)
    }
    const timer = setTimeout(() => settle(undefined), ANSWER_MS)
    socket.on('error', () => settle(undefined))
    socket.on('close', () => settle(undefined))
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const answer = bytes.length > ANSWER_BYTES_MAX ? undefined : read(bytes)
      if (answer !== 'more') settle(answer)
    })
    socket.write(question)
  })
}

function thriftCall(): Buffer {
  const codec = new ThriftClientCodec(loadSchema('thrift2').services.get('THBaseService')!)
  return codec.writeCall({ method: 'closeScanner', args: { scannerId: -1 } })
}
