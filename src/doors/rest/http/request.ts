/** A request as the resources see it: raw path, query, headers, and a body that never exceeds the limit. */

import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SocketCall } from '../../../gateway/socket-call.ts'
import type { Call } from '../../../store/call.ts'
import { Refusal } from './errors.ts'
import { callerGone, isHangUp } from './hang-up.ts'
import { parseQuery, withoutUtf16Escapes } from './percent.ts'
import { acceptWithoutProblem } from './problem.ts'

const gunzipped: (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer> = promisify(gunzip)

const NO_QUERY = new URLSearchParams()

export class RestRequest {
  readonly incoming: IncomingMessage
  readonly method: string
  /** Percent-encoded, as the client sent it; without matrix parameters (`;name=value`). */
  readonly path: string
  readonly #search: string
  readonly #bodyBytesMax: number
  #query: URLSearchParams | undefined

  constructor(incoming: IncomingMessage, bodyBytesMax: number) {
    const url = originForm(incoming.url ?? '/')
    const question = url.indexOf('?')
    const path = question < 0 ? url : url.slice(0, question)
    this.incoming = incoming
    this.method = incoming.method ?? 'GET'
    this.path = withoutUtf16Escapes(path.includes(';') ? path.replace(/;[^/{}]*/g, '') : path)
    this.#search = question < 0 ? '' : url.slice(question + 1)
    this.#bodyBytesMax = bodyBytesMax
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

  /** The call that the store gets: the same for all requests of a connection. */
  get call(): Call {
    return SocketCall.ofHttp(this.incoming.socket).call
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
    return `http://${this.incoming.headers.host ?? 'localhost'}${this.path}`
  }

  /**
   * The whole body, unzipped if it came zipped. Throws Refusal 413 above the limit, `brokenStatus` for a body that does not
   * unzip, and CALLER_GONE where the body ends early.
   */
  async body(brokenStatus = 500): Promise<Buffer> {
    const raw = await this.#rawBody()
    if (this.header('content-encoding')?.toLowerCase().includes('gzip') !== true) return raw
    try {
      return await gunzipped(raw, { maxOutputLength: this.#bodyBytesMax })
    } catch (cause) {
      if (cause instanceof RangeError) throw this.#tooLarge()
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new Refusal(brokenStatus, `the body is not the gzip that its header says: ${why}`)
    }
  }

  async #rawBody(): Promise<Buffer> {
    const { incoming } = this
    if (Number(incoming.headers['content-length'] ?? 0) > this.#bodyBytesMax) throw this.#tooLarge()
    const chunks: Buffer[] = []
    let length = 0
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        length += chunk.length
        if (length > this.#bodyBytesMax) throw this.#tooLarge()
        chunks.push(chunk)
      }
    } catch (error) {
      throw isHangUp(error) ? callerGone(error) : error
    }
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
  }

  #tooLarge(): Refusal {
    return new Refusal(413, `the body exceeds the limit of ${this.#bodyBytesMax} bytes`, {
      Connection: 'close',
    })
  }
}

/** The path and query of a request's target: of a proxy's `http://host/path` without the host, and without a fragment. */
function originForm(target: string): string {
  const hash = target.indexOf('#')
  const url = hash < 0 ? target : target.slice(0, hash)
  if (url.startsWith('/')) return url
  const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}
