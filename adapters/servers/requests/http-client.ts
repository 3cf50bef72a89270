/** Requests to one HTTP server, over connections that are kept open. */

import { Agent, type ClientRequest, type IncomingHttpHeaders, request as requestPlain } from 'node:http'
import { request as requestTls, Agent as TlsAgent } from 'node:https'
import { EMPTY } from '../../../src/model/bytes.ts'
import { reasonOf } from '../../../src/model/error-reason.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import { clientTls, lastingFailure } from './client-tls.ts'
import { HttpTickets } from './http-tickets.ts'
import { UNHEARD } from './retries.ts'
import type { ServerOptions } from './server-options.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const CONNECTIONS_MAX = 16

export class HttpClient {
  readonly #options: ServerOptions
  readonly #agent: Agent
  readonly #authorization: string | undefined
  readonly #tickets: HttpTickets | undefined

  constructor(options: ServerOptions) {
    const { trust, credentials, ticket } = options
    this.#options = options
    const kept = { keepAlive: true, maxSockets: CONNECTIONS_MAX }
    this.#agent = trust === undefined ? new Agent(kept) : new TlsAgent({ ...kept, ...clientTls(trust) })
    this.#tickets = ticket && new HttpTickets(ticket)
    this.#authorization =
      credentials && `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`
  }

  /** Sends a request. Throws UNAVAILABLE, REFUSED, TIMEOUT, CALLER_GONE and TOO_LARGE; ACCESS_DENIED where a ticket cannot be had. */
  async ask(request: HttpRequest, call: Call, timeoutMs: number): Promise<HttpAnswer> {
    const tickets = this.#tickets
    if (tickets === undefined)
      return this.#send(
        request,
        this.#authorization === undefined ? {} : { Authorization: this.#authorization },
        { call, timeoutMs },
      )
    const end = performance.now() + timeoutMs
    const left = (): number => Math.max(1, end - performance.now())
    const shown = await tickets.headers()
    let answer = await this.#send(request, shown, { call, timeoutMs: left() })
    const more = await tickets.afterChallenge(answer, shown)
    if (more !== undefined) answer = await this.#send(request, more, { call, timeoutMs: left() })
    tickets.note(answer.headers)
    return answer
  }

  #send(
    { method, path, headers, body }: HttpRequest,
    login: Readonly<Record<string, string>>,
    { call, timeoutMs }: { readonly call: Call; readonly timeoutMs: number },
  ): Promise<HttpAnswer> {
    const { endpoint, trust, limits } = this.#options
    const { signal } = call
    return new Promise((resolve, reject) => {
      const send = trust === undefined ? requestPlain : requestTls
      const asked = send({
        host: endpoint.host,
        port: endpoint.port,
        method,
        path,
        agent: this.#agent,
        headers: {
          ...headers,
          ...login,
          ...(body !== undefined && { 'Content-Length': String(body.length) }),
        },
      })
      const timer = setTimeout(
        () => asked.destroy(new HBaseError('TIMEOUT', `no answer of ${this.place} within ${timeoutMs} ms`)),
        timeoutMs,
      )
      const hangUp = (): void => void asked.destroy(new HBaseError('CALLER_GONE', 'the client has hung up'))
      signal?.addEventListener('abort', hangUp)
      const settle = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', hangUp)
      }
      asked.once('error', (error) => {
        settle()
        reject(this.#failure(asked, error))
      })
      asked.once('response', (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > limits.answerBytesMax) asked.destroy(tooLarge(limits.answerBytesMax))
          else chunks.push(chunk)
        })
        answer.once('error', (error) => {
          settle()
          reject(this.#failure(asked, error))
        })
        answer.once('end', () => {
          settle()
          const { statusCode: status = 0, headers: received } = answer
          resolve({
            status,
            headers: received,
            body: chunks.length === 0 ? EMPTY : Buffer.concat(chunks, bytes),
          })
        })
      })
      asked.end(body)
    })
  }

  /** The server as HOST:PORT, for messages. */
  get place(): string {
    const { host, port } = this.#options.endpoint
    return `${host.includes(':') ? `[${host}]` : host}:${port}`
  }

  close(): void {
    this.#agent.destroy()
  }

  /** The failure of a request. UNHEARD marks a server that could not be reached. */
  #failure(asked: ClientRequest, error: Error): HBaseError {
    if (error instanceof HBaseError) return error
    const { code } = error as NodeJS.ErrnoException
    const isUnheard = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH'
    const lasting = lastingFailure(error, this.#options.trust)
    return new HBaseError(
      lasting === undefined ? 'UNAVAILABLE' : 'REFUSED',
      `${this.place}: ${lasting ?? reasonOf(error)}`,
      {
        cause: error,
        detail: { [UNHEARD]: isUnheard, wasKept: asked.reusedSocket },
      },
    )
  }
}

function tooLarge(bytes: number): HBaseError {
  return new HBaseError('TOO_LARGE', `an answer of more than ${bytes} bytes`)
}
