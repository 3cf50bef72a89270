/** One server of HBase's REST interface: sends requests, retries them, and turns its answers into errors. */

import { type ErrorCode, HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import type { StoreReach } from '../../../src/store/store-reach.ts'
import { type HttpAnswer, HttpClient, type HttpRequest } from '../requests/http-client.ts'
import { javaErrorIn } from '../requests/java-errors.ts'
import { passwordHint } from '../requests/login-hint.ts'
import { Retries } from '../requests/retries.ts'
import type { ServerOptions } from '../requests/server-options.ts'

export const REST_REACH: StoreReach = {
  protocol: 'REST',
  readsMarkers: false,
  writesAllMarkers: false,
  splitsNewTables: false,
  dropsEnabledTables: true,
}

export const PROTOBUF = 'application/x-protobuf'

export interface RestRequest {
  /** The operation's name in messages: `put to t1`. */
  readonly operation: string
  readonly method: HttpRequest['method']
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Protobuf. */
  readonly body?: Buffer
  /** False: repeating the request is not safe; absent: it is safe. */
  readonly isRepeatable?: boolean
  readonly isTriedOnce?: boolean
  /** Statuses other than 2xx that are answers, not failures. */
  readonly answers?: readonly number[]
}

/** The error code of an answer that names no class of Java, by its status. */
const BY_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [400, 'ILLEGAL_ARGUMENT'],
  [401, 'ACCESS_DENIED'],
  [403, 'ACCESS_DENIED'],
  [405, 'UNSUPPORTED'],
  [406, 'UNSUPPORTED'],
  [413, 'TOO_LARGE'],
  [415, 'UNSUPPORTED'],
  [429, 'THROTTLED'],
  [501, 'UNSUPPORTED'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'TIMEOUT'],
])

export class RestServer {
  readonly #http: HttpClient
  readonly #retries: Retries

  constructor(options: ServerOptions) {
    this.#http = new HttpClient(options)
    this.#retries = new Retries(options)
  }

  /** Sends a request. Throws HBaseErrors. */
  ask(request: RestRequest, call: Call): Promise<HttpAnswer> {
    const { operation, method, path, headers, body, isRepeatable = true, isTriedOnce, answers = [] } = request
    const sent: HttpRequest = {
      method,
      path,
      headers: {
        Accept: PROTOBUF,
        ...(body !== undefined && { 'Content-Type': PROTOBUF }),
        ...headers,
      },
      body,
    }
    return this.#retries.retrying({ name: operation, isRepeatable, isTriedOnce, call }, async (timeoutMs) => {
      const answer = await this.#http.ask(sent, call, timeoutMs)
      const { status } = answer
      if ((status >= 200 && status < 300) || answers.includes(status)) return answer
      throw this.#failure(answer, operation)
    })
  }

  close(): void {
    this.#retries.close()
    this.#http.close()
  }

  #failure({ status, headers, body }: HttpAnswer, operation: string): HBaseError {
    const text = body.toString()
    const code = BY_STATUS.get(status) ?? 'REFUSED'
    // The class is more precise than the status.
    const named = javaErrorIn(text, code)
    const wait = /^\d{1,5}$/.test(headers['retry-after'] ?? '')
      ? Number(headers['retry-after']) * 1000
      : undefined
    const detail = { ...named?.detail, status, ...(wait !== undefined && { waitMs: wait }) }
    if (named !== undefined) {
      const { message, javaClass } = named
      return new HBaseError(named.code, message, { javaClass, detail })
    }
    const [line = ''] = text.trim().split(/\r?\n/)
    const words = `${operation}: ${this.#http.place} answered ${status}${line === '' ? '' : ` ${line.slice(0, 200)}`}`
    const hint = status === 401 ? passwordHint(headers) : ''
    return new HBaseError(code, `${words}${hint}`, { detail })
  }
}
