/** A client of the change feed, which reads a line at a time. */

import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { createInterface, type Interface } from 'node:readline'

export interface FeedCell {
  readonly column: string
  readonly timestamp: number
  readonly type: string
  readonly value: string
}

export interface FeedLine {
  readonly key?: string
  readonly cells?: readonly FeedCell[]
  readonly heartbeat?: boolean
  readonly token: string
  readonly error?: { readonly code?: string; readonly detail: string; readonly mayRetry?: boolean }
}

export const TEXT_LINES = 'application/x-ndjson;cells=text'

export class FeedReader {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly #socket: Socket
  readonly #answer: IncomingMessage
  readonly #lines: Interface
  readonly #waiting: string[] = []
  #isOver = false
  #wake: () => void = () => undefined
  /** The token of the last line. */
  token = ''

  private constructor(sent: ClientRequest, answer: IncomingMessage) {
    this.#socket = sent.socket!
    this.#answer = answer
    this.status = answer.statusCode ?? 0
    this.headers = answer.headers
    this.#lines = createInterface({ input: answer })
    answer.on('error', () => undefined)
    this.#lines.on('error', () => undefined)
    this.#lines.on('line', (line) => {
      this.#waiting.push(line)
      this.#wake()
    })
    this.#lines.on('close', () => {
      this.#isOver = true
      this.#wake()
    })
  }

  static async open(
    port: number,
    path: string,
    headers: Readonly<Record<string, string>> = { Accept: TEXT_LINES },
    method = 'GET',
  ): Promise<FeedReader> {
    const agent = new Agent({ maxSockets: 1 })
    const sent = request({ host: '127.0.0.1', port, path, headers, method, agent })
    sent.on('error', () => undefined)
    sent.end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return new FeedReader(sent, answer)
  }

  /** The next line as text; undefined at the end. */
  async text(): Promise<string | undefined> {
    while (this.#waiting.length === 0 && !this.#isOver)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#waiting.shift()
  }

  async line(): Promise<FeedLine | undefined> {
    const text = await this.text()
    if (text === undefined) return undefined
    const line = JSON.parse(text) as FeedLine
    this.token = line.token
    return line
  }

  /** The next line that is no heartbeat. */
  async change(): Promise<FeedLine | undefined> {
    for (;;) {
      const line = await this.line()
      if (line?.heartbeat !== true) return line
    }
  }

  async changes(count: number): Promise<FeedLine[]> {
    const lines: FeedLine[] = []
    while (lines.length < count) lines.push((await this.change())!)
    return lines
  }

  async rest(): Promise<string> {
    const lines: string[] = []
    for (let line = await this.text(); line !== undefined; line = await this.text()) lines.push(line)
    return lines.join('\n')
  }

  /** Stops to read: what the server sends stays with it. */
  pause(): void {
    this.#answer.pause()
  }

  resume(): void {
    this.#answer.resume()
  }

  /** Resets the connection: a client that only ends its side may still read. */
  close(): void {
    this.#lines.close()
    this.#socket.resetAndDestroy()
  }
}
