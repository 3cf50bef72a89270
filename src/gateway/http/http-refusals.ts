/**
 * Answers requests that Node's HTTP parser refuses. The answers of a connection stay in the order of its requests. The door
 * itself refuses methods that Node does not know. A client gets the refusal before the connection ends.
 */

import {
  type IncomingHttpHeaders,
  IncomingMessage,
  METHODS,
  type RequestListener,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { isProxyProtocol, PROXY_PROTOCOL } from '../../wire/proxy-protocol.ts'
import { closed, endsConnection, PipelinedAnswers } from './pipelined-answers.ts'

/** Time in which a refused client may go on sending. A connection with unread bytes would be reset, and the answer lost. */
const LINGER_MS = 1000

const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_INVALID_VERSION: '505 HTTP Version Not Supported',
  HPE_PAUSED_H2_UPGRADE: '505 HTTP Version Not Supported',
}

/** The client has ended its side within a request. */
const CUT_OFF = 'HPE_INVALID_EOF_STATE'

const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]{1,40}) (\S+) HTTP\/1\.[01]\r?$/

/** An error of Node's parser. */
export interface ParserError extends Error {
  readonly code?: string
  /** The packet that was being parsed, and the number of its bytes that were valid. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** The beginning of a request that Node has refused. */
interface RequestHead {
  readonly method: string
  readonly url: string
  /** The request's headers, with the client's credentials. */
  readonly headers: IncomingHttpHeaders
}

/** The last two answers of a connection. With pipelining, the last one waits for the one before. Undefined between requests. */
interface Answers {
  last: ServerResponse | undefined
  before: ServerResponse | undefined
}

const NO_ANSWERS: Readonly<Answers> = { last: undefined, before: undefined }

export class HttpRefusals {
  readonly #listener: RequestListener
  readonly #answers = new WeakMap<Socket, Answers>()
  /** Connections that are ending. Further bytes from them are ignored. */
  readonly #refused = new WeakSet<Socket>()

  readonly #pipelined = new PipelinedAnswers()
  readonly #headerBytesMax: number
  readonly #insteadOfLongLine: string

  /** `insteadOfLongLine`: see HttpServerParts. */
  constructor(listener: RequestListener, headerBytesMax: number, insteadOfLongLine = '') {
    this.#listener = listener
    this.#headerBytesMax = headerBytesMax
    this.#insteadOfLongLine = insteadOfLongLine
    const answers = this.#answers
    this.#forget = function forget() {
      const { socket, complete } = this.req
      const known = complete ? answers.get(socket) : undefined
      if (known?.last !== this) return
      known.last = undefined
      known.before = undefined
    }
  }

  /** The listener of all valid requests. A request may depend on the one before it: it is heard once that has its answer. */
  readonly listen: RequestListener = (incoming, outgoing) => {
    const known = this.#answers.get(incoming.socket)
    const before = known?.last
    if (known === undefined) this.#answers.set(incoming.socket, { last: outgoing, before })
    else {
      known.before = before
      known.last = outgoing
    }
    // Not `once`, whose wrapper is made and removed for each request: a second call finds nothing to forget.
    outgoing.on('close', this.#forget)
    if (outgoing.socket === null) this.#pipelined.add(incoming.socket, outgoing)
    if (before === undefined || before.closed) this.#hear(incoming, outgoing)
    else
      before.once('close', () => {
        if (!outgoing.closed && !incoming.socket.destroyed) this.#hear(incoming, outgoing)
      })
  }

  #hear(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (incoming.httpVersionMajor === 1) this.#listener(incoming, outgoing)
    else outgoing.writeHead(505, { Connection: 'close' }).end()
  }

  /** The listener of requests whose client waits before it sends the body (`Expect: 100-continue`). */
  readonly listenToWaiting: RequestListener = (incoming, outgoing) => {
    askForBodyOnceRead(incoming, outgoing)
    this.listen(incoming, outgoing)
  }

  /** Lets an idle connection drop its last request and answer. */
  readonly #forget: (this: ServerResponse) => void

  /** Answers bytes that Node's parser could not read, behind the answers that are still due, and ends the connection. */
  malformed(error: ParserError, socket: Socket): void {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const status = STATUSES[error.code ?? ''] ?? '400 Bad Request'
    this.#refuse(socket, () => {
      const head = error.code === 'HPE_INVALID_METHOD' ? requestHead(error) : undefined
      if (head !== undefined) this.#answerByListener(socket, head)
      else refuseAtOnce(socket, status, this.#reason(error))
    })
  }

  /** Refuses a client that has ended its side within a request. */
  cutOff(socket: Socket): void {
    this.malformed(Object.assign(new Error('a request is cut off'), { code: CUT_OFF }), socket)
  }

  /** Refuses a client whose first request has not arrived in time. */
  late(socket: Socket): void {
    const code = 'ERR_HTTP_REQUEST_TIMEOUT'
    this.malformed(Object.assign(new Error('a request is late'), { code }), socket)
  }

  /** The reason for Node's refusal: in Node's words, unless ours say more. */
  #reason({ code, message, rawPacket }: ParserError): string {
    if (isProxyProtocol(rawPacket)) return `the connection begins with ${PROXY_PROTOCOL}`
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'the request did not arrive in time'
    if (code === CUT_OFF) return 'the client ended its side of the connection within the request'
    if (code !== 'HPE_HEADER_OVERFLOW') return message
    const limit = `the request line and its headers have more than ${this.#headerBytesMax} bytes, the limit --header-bytes-max`
    return this.#insteadOfLongLine === '' ? limit : `${limit}. ${this.#insteadOfLongLine}`
  }

  /** Refuses a request for a tunnel: no door has tunnels. */
  tunnel({ url, headers }: IncomingMessage, socket: Socket): void {
    this.#refuse(socket, () =>
      this.#answerByListener(socket, { method: 'CONNECT', url: url ?? '/', headers }),
    )
  }

  /** Ends a connection on which no byte moves. A client that has sent a part of a request gets an answer. */
  idle(socket: Socket): void {
    const last = this.#answers.get(socket)?.last
    if (last === undefined || last.req.complete || last.headersSent) socket.destroy()
    else
      this.#refuse(socket, () =>
        refuseAtOnce(socket, '408 Request Timeout', 'the body did not arrive in time'),
      )
  }

  #refuse(socket: Socket, refuse: () => void): void {
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const { last, before } = this.#answers.get(socket) ?? NO_ANSWERS
    // The refused bytes belong to the body of the last request, or to a request behind it.
    const isBody = last !== undefined && !last.req.complete
    const due = isBody && !last.headersSent ? before : last
    const isCut = isBody && last.headersSent
    const act = (): void => {
      // No answer follows one that ends the connection. Node itself may have given that one.
      const isEnding = [last, sentNow(socket)].some((sent) => sent?.headersSent && endsConnection(sent))
      if (isCut || isEnding) endGently(socket)
      else refuse()
    }
    if (due === undefined || due.closed || due.writableFinished) act()
    else due.once('close', () => (socket.writable ? act() : socket.destroy()))
  }

  /** Lets the door answer, as for any method that a resource lacks. */
  #answerByListener(socket: Socket, head: RequestHead): void {
    const before = sentNow(socket)
    if (before !== undefined) {
      before.once('close', () => (socket.writable ? this.#answerByListener(socket, head) : socket.destroy()))
      return
    }
    const incoming = new IncomingMessage(socket)
    Object.assign(incoming, { ...head, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 })
    incoming.complete = true
    incoming.push(null)
    const outgoing = new ServerResponse(incoming)
    outgoing.shouldKeepAlive = false
    outgoing.assignSocket(socket)
    outgoing.once('finish', () => {
      outgoing.detachSocket(socket)
      endGently(socket)
      // Node's server does this for responses that it has made. Logs and grants of memory wait for it.
      closed(outgoing)
    })
    this.#listener(incoming, outgoing)
  }
}

/**
 * Asks a client that waits before it sends its body (`Expect: 100-continue`) for it once the door reads it, as HBase's server does. Node
 * would ask every client, also one that will be refused. An answer without the body ends the connection, since the client may send the body
 * after all. A client that has not waited is asked, too: without that, Node would end its connection.
 */
function askForBodyOnceRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { shouldKeepAlive } = outgoing
  // A stream whose bytes are all there is read without a call of `_read`.
  const read = incoming.read.bind(incoming) as (size?: number) => unknown
  outgoing.shouldKeepAlive = false
  incoming.read = (size) => {
    incoming.read = read
    if (!outgoing.headersSent && !outgoing.destroyed) {
      outgoing.shouldKeepAlive = shouldKeepAlive
      outgoing.writeContinue()
    }
    return read(size)
  }
}

/**
 * The answer that the connection is sending. Node itself answers a request without a Host or with an unknown Expect, and no listener sees
 * it. A second answer on its socket would throw.
 */
function sentNow(socket: Socket): ServerResponse | undefined {
  const sending = (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage
  return sending ?? undefined
}

/** The method, path and headers of a request whose method the parser does not know; undefined where its line is not complete. Headers that are not complete are left out. */
function requestHead({ rawPacket, bytesParsed = 0 }: ParserError): RequestHead | undefined {
  if (rawPacket === undefined) return undefined
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1
  const end = rawPacket.indexOf('\n', start)
  const found = end < 0 ? null : REQUEST_LINE.exec(rawPacket.toString('latin1', start, end))
  if (found === null) return undefined
  const [, method = '', url = ''] = found
  // The parser knows the method: the line begins with bytes of the body before it.
  if (METHODS.includes(method)) return undefined
  const endOfHead = rawPacket.indexOf('\r\n\r\n', end - 1)
  const lines = endOfHead < end ? [] : rawPacket.toString('latin1', end + 1, endOfHead).split('\r\n')
  return { method, url, headers: headersOf(lines) }
}

/** The headers by name. Of several with one name the first counts. */
function headersOf(lines: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (name !== '' && !Object.hasOwn(headers, name)) headers[name] = line.slice(colon + 1).trim()
  }
  return headers
}

/** Refuses a connection before its first request, for a limit. */
export function refuseForNow(socket: Socket, reason: string): void {
  socket.on('error', () => socket.destroy())
  refuseAtOnce(socket, '503 Service Unavailable', reason, 'Retry-After: 1\r\n')
}

/** Refuses a client that speaks HTTP to a port of HTTPS. */
export function refusePlainHttp(socket: Socket): void {
  refuseAtOnce(socket, '400 Bad Request', 'this port takes connections with TLS: use https://')
}

function refuseAtOnce(socket: Socket, status: string, reason: string, headers = ''): void {
  const body = `${status.slice(4)}: ${reason}\r\n`
  const ofBody = `Content-Type: text/plain\r\nContent-Length: ${body.length}\r\n`
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\n${headers}${ofBody}\r\n`
  socket.write(head + body, 'latin1')
  endGently(socket)
}

function endGently(socket: Socket): void {
  socket.end()
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
