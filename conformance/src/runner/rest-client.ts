import { Agent, type IncomingMessage, request } from 'node:http'
import type { RestRequest } from './case.ts'

export interface RestAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/**
 * The connection was reset, and the request may be sent again: the server was ending the idle connection, or the request
 * changes nothing. HBase resets the connection behind some of its error pages, and sometimes loses the page.
 */
class ResetError extends Error {}

const ATTEMPTS_MAX = 5
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** An HTTP client that sends only what a case states. */
export class RestClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #host: string
  readonly #port: number
  readonly #timeoutMs: number

  constructor(url: string, timeoutMs: number) {
    const { hostname, port } = new URL(url)
    this.#host = hostname
    this.#port = Number(port === '' ? 80 : port)
    this.#timeoutMs = timeoutMs
  }

  /** Rejects where the server does not answer in time, closes the connection or breaks the protocol. */
  async send(request: RestRequest): Promise<RestAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#sendOnce(request)
      } catch (error) {
        if (!(error instanceof ResetError) || attempt === ATTEMPTS_MAX) throw error
      }
    }
  }

  #sendOnce({ method, path, headers, body }: RestRequest): Promise<RestAnswer> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const sent = request({
        agent: this.#agent,
        host: this.#host,
        port: this.#port,
        method,
        path,
        headers: { ...length, ...headers },
      })
      const timer = setTimeout(
        () => sent.destroy(new Error(`no answer within ${this.#timeoutMs} ms`)),
        this.#timeoutMs,
      )
      const settle = (error: Error | undefined, answer?: RestAnswer): void => {
        clearTimeout(timer)
        if (error === undefined) resolve(answer!)
        else reject(error)
      }
      sent.once('error', (error: NodeJS.ErrnoException) => {
        const mayRepeat = error.code === 'ECONNRESET' && (sent.reusedSocket || SAFE_METHODS.has(method))
        settle(mayRepeat ? new ResetError(error.message) : error)
      })
      sent.once('response', (response) => {
        collect(response).then((body) => settle(undefined, answerOf(response, body)), settle)
      })
      sent.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

async function collect(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function answerOf(response: IncomingMessage, body: Buffer): RestAnswer {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(response.headers)) {
    headers.set(name, Array.isArray(value) ? value.join(', ') : (value ?? ''))
  }
  return { status: response.statusCode ?? 0, headers, body }
}
