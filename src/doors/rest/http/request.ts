/** A request as the resources see it: raw path, query, headers, and a body that never exceeds the limit. */

import type { IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { SocketCall } from '../../../gateway/connections/socket-call.ts'
import { forwardedAddress, isEncrypted } from '../../../gateway/identity/proxies/request-origin.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { isTooLarge } from '../../../gateway/limits/memory-line.ts'
import { ReceivedBytes } from '../../../gateway/requests/received-bytes.ts'
import { type HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Call, Principal } from '../../../store/call.ts'
import { Refusal, StatusError } from './errors.ts'
import { callerGone, isHangUp } from './hang-up.ts'
import { onlyChunk } from './only-chunk.ts'
import { ownHost } from './own-host.ts'
import { parseQuery, withoutUtf16Escapes } from './percent.ts'
import { acceptWithoutProblem } from './problem.ts'

/** The memory of smaller bodies and answers is not asked for. */
const SMALL_BODY_BYTES = 64 * 1024

/** The parameters of a form are told apart at one go: of so many bytes in some 50 ms. */
const FORM_BYTES_MAX = 2 * 1024 * 1024
const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i

const NO_QUERY = new URLSearchParams()

export class RestRequest {
  readonly incoming: IncomingMessage
  readonly method: string
  /** Percent-encoded, as the client sent it; without matrix parameters (`;name=value`). */
  readonly path: string
  #search: string
  readonly #bodyBytesMax: number
  readonly #memory: MemoryBudget
  /** The memory of the body and of what is made of it. */
  readonly grant: MemoryGrant
  /** Counted for the answer before it was written. */
  #answerBytes = 0
  #query: URLSearchParams | undefined
  /** Who the client has shown to be; undefined where nobody asks. */
  principal: Principal | undefined
  /** Of the client whose request a sibling or a trusted proxy hands on; undefined: the socket has it. */
  clientAddress: string | undefined
  /** Of its calls of the store; undefined: it is not traced. */
  trace: string | undefined

  constructor(incoming: IncomingMessage, bodyBytesMax: number, memory: MemoryBudget) {
    const url = originForm(incoming.url ?? '/')
    const question = url.indexOf('?')
    const path = question < 0 ? url : url.slice(0, question)
    this.incoming = incoming
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

  /** A parameter of the query, null where the query lacks it. */
  parameter(name: string): string | null {
    return this.#search === '' ? null : this.query.get(name)
  }

  /** As `parameter`, but its value is still percent-encoded. */
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

  /** Whether the body is a form, as of a page or of `curl -d`. */
  get hasForm(): boolean {
    return FORM_TYPE.test(this.contentType ?? '')
  }

  /**
   * Takes the form in the body for more of the query, for one that is longer than a request line may be. Throws as `body`, and
   * Refusal 413 for a form of too many bytes.
   */
  async readForm(): Promise<void> {
    const form = await this.body(400, FORM_BYTES_MAX)
    const users = doAsCount(this.query)
    this.#search = [this.#search, form.toString()].filter((part) => part !== '').join('&')
    this.#query = undefined
    if (doAsCount(this.query) > users)
      throw new Refusal(
        400,
        'doAs goes into the path or a header: whoever asks is known before the form is read',
      )
  }

  /** A promise where answers that wait for their readers have taken all memory: it rejects with OVERLOADED after the wait. */
  awaitMemory(): Promise<void> | undefined {
    if (!this.#memory.isFull) return undefined
    return this.grant.atOnceOrLater(() => this.grant.take(0, 'another request'), this.call.signal)
  }

  /** The read of an answer that is encoded now is about to give its memory back, and the answer to keep so much of it. */
  keepForAnswer(bytes: number): void {
    this.grant.note(bytes)
    this.#answerBytes = bytes
  }

  /** Counts an answer that is there, and waits for its reader. */
  noteAnswer(bytes: number): void {
    this.grant.noteAnswer(Math.max(0, bytes - this.#answerBytes))
  }

  /** The call that the store gets: the same for all small requests of a connection by one user. */
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

  /** The types that the client takes where there is no error. */
  get accept(): string | undefined {
    return acceptWithoutProblem(this.incoming.headers.accept)
  }

  get contentType(): string | undefined {
    return this.incoming.headers['content-type']
  }

  /** The header's value, of several the first. */
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
   * The whole body, unzipped if it came zipped. Throws Refusal 413 above the limit (`bytesMax`, where that is lower), `brokenStatus` for a body that does not
   * unzip, CALLER_GONE where the body ends early, and OVERLOADED.
   */
  async body(brokenStatus = 500, bytesMax: number = this.#bodyBytesMax): Promise<Buffer> {
    const { incoming } = this
    const limit = Math.min(bytesMax, this.#bodyBytesMax)
    const stated = Number(incoming.headers['content-length'] ?? Number.NaN)
    if (stated > limit) throw tooLarge(limit)
    const isZipped = this.header('content-encoding')?.toLowerCase().includes('gzip') === true
    try {
      if (isZipped) return await this.#unzipped(brokenStatus, limit)
      return (await onlyChunk(incoming, stated)) ?? (await this.#received(incoming, limit, stated))
    } catch (error) {
      if (isHBaseError(error) && error.code === 'OVERLOADED') {
        incoming.resume()
        throw refusedForNow(error)
      }
      // Others have the rest of the body dropped as it comes, too.
      if (isTooLarge(error)) incoming.resume()
      throw isHangUp(error) ? callerGone(error) : error
    }
  }

  async #received(source: AsyncIterable<Buffer>, limit: number, stated?: number): Promise<Buffer> {
    const received = new ReceivedBytes(this.grant, stated)
    // A body that is refused is read on, and dropped, so that its client reads the answer.
    const chunks = source === this.incoming ? this.incoming.iterator({ destroyOnReturn: false }) : source
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      await this.grant.atOnceOrLater(() => received.push(chunk), this.call.signal)
      if (received.length > limit) throw tooLarge(limit)
    }
    await received.gathered()
    // Its cells, once they are decoded, mostly take no more than the body.
    if (received.length > SMALL_BODY_BYTES)
      await this.grant.atOnceOrLater(() => received.takeForMade('what the body has'), this.call.signal)
    return received.whole()
  }

  async #unzipped(brokenStatus: number, limit: number): Promise<Buffer> {
    const gunzip = createGunzip()
    // An error of the incoming body goes to both; the one of the iteration is told.
    this.incoming.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
    try {
      return await this.#received(gunzip, limit)
    } catch (cause) {
      this.incoming.unpipe(gunzip)
      if (isHBaseError(cause) || isHangUp(cause)) throw cause
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new Refusal(brokenStatus, `the body is not the gzip that its header says: ${why}`)
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

/** The path and query of a request's target: of a proxy's `http://host/path` without the host, and without a fragment. */
function originForm(target: string): string {
  const hash = target.indexOf('#')
  const url = hash < 0 ? target : target.slice(0, hash)
  if (url.startsWith('/')) return url
  const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}

/** The rest of the body is dropped as it comes. */
function refusedForNow({ code, message, javaClass }: HBaseError): StatusError {
  const body = `Unavailable\r\n${javaClass}: ${message}`
  return new StatusError(503, code, message, body, { javaClass })
}
