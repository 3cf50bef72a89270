/** A request as the resources see it: the encoded path, the query, headers, and a body within the limit. */

import { createGunzip } from 'node:zlib'
import type { HttpRequest } from '../../../gateway/connections/http-request.ts'
import { SocketCall } from '../../../gateway/connections/socket-call.ts'
import { callerGone, isHangUp } from '../../../gateway/http/hang-up.ts'
import type { HttpExchange } from '../../../gateway/http/http-exchange.ts'
import { forwardedAddress, isEncrypted } from '../../../gateway/identity/proxies/request-origin.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { isTooLarge } from '../../../gateway/limits/memory-line.ts'
import { ReceivedBytes } from '../../../gateway/requests/received-bytes.ts'
import { type HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Call, Principal } from '../../../store/call.ts'
import { Refusal, StatusError } from './errors.ts'
import { onlyChunk } from './only-chunk.ts'
import { ownHost } from './own-host.ts'
import { parseQuery, withoutUtf16Escapes } from './percent.ts'
import { acceptWithoutProblem } from './problem.ts'

/** Bodies up to this size take no memory from the budget for the cells made of them. */
const SMALL_BODY_BYTES = 64 * 1024

/** The door parses a form without a pause, which takes some 50 ms for this size. */
const FORM_BYTES_MAX = 2 * 1024 * 1024
const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i

const NO_QUERY = new URLSearchParams()

export class RestRequest {
  readonly incoming: HttpRequest
  readonly #exchange: HttpExchange
  readonly method: string
  /** Percent-encoded, as the client sent it; without matrix parameters (`;name=value`). */
  readonly path: string
  #search: string
  readonly #bodyBytesMax: number
  readonly #memory: MemoryBudget
  /** The memory of the body and of the cells made of it. */
  readonly grant: MemoryGrant
  /** Bytes of the answer that the grant counted before the answer was written. */
  #answerBytes = 0
  #query: URLSearchParams | undefined
  /** The authenticated user; undefined where the door asks for no login. */
  principal: Principal | undefined
  /** Headers that the login adds to the answer; undefined: none. */
  loginHeaders: Readonly<Record<string, string>> | undefined
  /** The client's address where a sibling or a trusted proxy forwarded the request; undefined: the socket's. */
  clientAddress: string | undefined
  /** The trace context of the request's calls to the store; undefined: not traced. */
  trace: string | undefined

  constructor(exchange: HttpExchange, bodyBytesMax: number, memory: MemoryBudget) {
    const incoming = exchange.request
    const url = originForm(incoming.url ?? '/')
    const question = url.indexOf('?')
    const path = question < 0 ? url : url.slice(0, question)
    this.incoming = incoming
    this.#exchange = exchange
    this.clientAddress = forwardedAddress(incoming)
    this.method = incoming.method ?? 'GET'
    this.path = withoutUtf16Escapes(path.includes(';') ? path.replace(/;[^/{}]*/g, '') : path)
    this.#search = question < 0 ? '' : url.slice(question + 1)
    this.#bodyBytesMax = bodyBytesMax
    this.#memory = memory
    this.grant = new MemoryGrant(memory)
  }

  /** The query as the client sent it. */
  get search(): string {
    return this.#search
  }

  get query(): URLSearchParams {
    this.#query ??= this.#search === '' ? NO_QUERY : parseQuery(this.#search)
    return this.#query
  }

  /** The first value of a parameter, decoded; null where the query lacks it. */
  parameter(name: string): string | null {
    return this.#search === '' ? null : this.query.get(name)
  }

  /** As `parameter`, but still percent-encoded; undefined where the query lacks it. */
  rawParameter(name: string): string | undefined {
    if (this.#search === '' || !this.query.has(name)) return undefined
    for (const part of this.#search.split('&')) {
      const [decoded] = parseQuery(part).keys()
      if (decoded !== name) continue
      const equals = part.indexOf('=')
      return equals < 0 ? '' : part.slice(equals + 1)
    }
    return undefined
  }

  /** True where the body is a form, as a page or `curl -d` sends it. */
  get hasForm(): boolean {
    return FORM_TYPE.test(this.contentType ?? '')
  }

  /**
   * Adds the form in the body to the query, for queries that are too long for a request line. Throws as `body`, and Refusal 413 for a form
   * beyond the limit.
   */
  async readForm(): Promise<void> {
    const form = await this.body(400, FORM_BYTES_MAX)
    const users = doAsCount(this.query)
    this.#search = [this.#search, form.toString()].filter((part) => part !== '').join('&')
    this.#query = undefined
    if (doAsCount(this.query) > users)
      throw new Refusal(
        400,
        'doAs must be in the query of the address or in a header, because the server checks the user before it reads the form',
      )
  }

  /** A promise where the memory budget is full of answers that clients have not read. It rejects with OVERLOADED after a wait. */
  awaitMemory(): Promise<void> | undefined {
    if (!this.#memory.isFull) return undefined
    return this.grant.atOnceOrLater(() => this.grant.take(0, 'another request'), this.call.signal)
  }

  /** Counts the memory of an encoded answer, before the read releases the memory of its cells. */
  keepForAnswer(bytes: number): void {
    this.grant.note(bytes)
    this.#answerBytes = bytes
  }

  /** Counts the memory of an answer that waits for the client to read it. */
  noteAnswer(bytes: number): void {
    this.grant.noteAnswer(Math.max(0, bytes - this.#answerBytes))
  }

  /** The call for the store. All small requests of one user on a connection share one object. */
  get call(): Call {
    const { trace, grant } = this
    const call = this.#untracedCall()
    const hasMemory = grant.bytes > 0 || grant.waits !== undefined
    if (trace === undefined && !hasMemory) return call
    return { ...call, trace, memory: hasMemory ? grant : undefined }
  }

  #untracedCall(): Call {
    const socketCall = SocketCall.ofHttp(this.incoming.socket)
    if (this.principal === undefined && this.clientAddress === undefined) return socketCall.call
    return socketCall.as(this.principal, this.clientAddress)
  }

  /** The header Accept without the type of problem details. */
  get accept(): string | undefined {
    return acceptWithoutProblem(this.incoming.headers.accept)
  }

  get contentType(): string | undefined {
    return this.incoming.headers['content-type']
  }

  /** The header's first value; undefined where the request lacks it. */
  header(name: string): string | undefined {
    const value = this.incoming.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  /** The resource's absolute address, as Location states it. */
  get address(): string {
    const scheme = isEncrypted(this.incoming) ? 'https' : 'http'
    return `${scheme}://${ownHost(this.incoming)}${this.path}`
  }

  /**
   * The whole body, unzipped if it is zipped. Throws Refusal 413 above the limit or above `bytesMax`, Refusal `brokenGzipStatus` for a broken
   * gzip stream, CALLER_GONE where the body ends early, and OVERLOADED.
   */
  async body(brokenGzipStatus = 500, bytesMax: number = this.#bodyBytesMax): Promise<Buffer> {
    const { body, stream } = this.#exchange
    const limit = Math.min(bytesMax, this.#bodyBytesMax)
    const stated = Number(this.incoming.headers['content-length'] ?? Number.NaN)
    if (stated > limit) throw tooLarge(limit)
    const isZipped = this.header('content-encoding')?.toLowerCase().includes('gzip') === true
    if (!isZipped && body !== undefined) return body
    try {
      if (isZipped) return await this.#unzipped(brokenGzipStatus, limit)
      return (await onlyChunk(stream!, stated)) ?? (await this.#received(stream!, limit, stated))
    } catch (error) {
      if (isHBaseError(error) && error.code === 'OVERLOADED') {
        stream?.resume()
        throw overloadedError(error)
      }
      // For a body above the limit, too, the rest is read and dropped.
      if (isTooLarge(error)) stream?.resume()
      throw isHangUp(error) ? callerGone(error) : error
    }
  }

  async #received(source: AsyncIterable<Buffer>, limit: number, stated?: number): Promise<Buffer> {
    const received = new ReceivedBytes(this.grant, stated)
    // The rest of a refused body is read and dropped, because many clients read the answer only after they sent the body.
    const { stream } = this.#exchange
    const chunks = source === stream ? stream.iterator({ destroyOnReturn: false }) : source
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      await this.grant.atOnceOrLater(() => received.push(chunk), this.call.signal)
      if (received.length > limit) throw tooLarge(limit)
    }
    await received.gathered()
    // Decoded cells mostly take no more memory than the body.
    if (received.length > SMALL_BODY_BYTES)
      await this.grant.atOnceOrLater(() => received.takeForMade('what the body has'), this.call.signal)
    return received.whole()
  }

  async #unzipped(brokenGzipStatus: number, limit: number): Promise<Buffer> {
    const gunzip = createGunzip()
    const { body, stream } = this.#exchange
    // An error of the incoming body ends the gunzip stream, whose iteration then throws it.
    if (stream === undefined) gunzip.end(body)
    else stream.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
    try {
      return await this.#received(gunzip, limit)
    } catch (cause) {
      stream?.unpipe(gunzip)
      if (isHBaseError(cause) || isHangUp(cause)) throw cause
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new Refusal(brokenGzipStatus, `the body is not valid gzip, as Content-Encoding states: ${why}`)
    }
  }
}

function doAsCount(query: URLSearchParams): number {
  let count = 0
  for (const name of query.keys()) if (name.toLowerCase() === 'doas') count++
  return count
}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal(413, `the body exceeds the limit of ${bytesMax} bytes`, { Connection: 'close' })
}

/** The path and query of a request's target, without the host that a request to a proxy has, and without a fragment. */
function originForm(target: string): string {
  const hash = target.indexOf('#')
  const url = hash < 0 ? target : target.slice(0, hash)
  if (url.startsWith('/')) return url
  const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}

/** OVERLOADED as a 503. */
function overloadedError({ code, message, javaClass }: HBaseError): StatusError {
  const body = `Unavailable\r\n${javaClass}: ${message}`
  return new StatusError(503, code, message, body, { javaClass })
}
