/** Sends the recorded requests to a server, and compares its answers with the recorded ones. */

import { connect, type Socket } from 'node:net'
import { bodyOf, headerOf, readHead, writeHead } from './http-messages.ts'
import type { Conversation, Wire } from './protocol.ts'
import type { Exchange, Tape } from './tape.ts'
import { WIRES } from './wires.ts'

export interface Difference {
  readonly exchange: Exchange
  /** Masked: see Wire.masked. */
  readonly recorded: Buffer
  /** Masked; undefined: the server has not answered. */
  readonly answered: Buffer | undefined
}

export interface CompareOptions {
  readonly host: string
  readonly port: number
  /** HTTP headers that replace those of the requests, such as logins, which a recording does not contain. */
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly differs: (difference: Difference) => void
  /** Called after each exchange, with the sums so far. */
  readonly worked?: (sums: Readonly<CompareSums>) => void
}

export interface CompareSums {
  same: number
  differing: number
  /** The number of requests without an answer in the recording. */
  skipped: number
}

/** Sends one request after the other, with one connection for each connection of the recording. */
export async function compareTape(tape: Tape, options: CompareOptions): Promise<CompareSums> {
  const wire = WIRES[tape.head.protocol]
  const sums = { same: 0, differing: 0, skipped: 0 }
  const moved = new Map<string, string>()
  const open = new Map<number, AskingConnection>()
  try {
    for (const exchange of tape.exchanges.toSorted((a, b) => a.at - b.at)) {
      const { connection: number, request, answer } = exchange
      let connection = open.get(number)
      if (connection === undefined || connection.isClosed) {
        const start = tape.starts.find((each) => each.connection === number)?.start
        connection = await AskingConnection.open(wire, options, start)
        open.set(number, connection)
      }
      const sent = wire.name === 'http' ? httpRequest(request, options, moved) : request
      const got = await connection.ask(sent, answer !== null)
      if (answer === null) sums.skipped++
      else {
        if (got !== undefined && wire.name === 'http') noteMoved(moved, answer, got)
        const recorded = wire.masked(answer)
        const answered = got === undefined ? undefined : wire.masked(wire.redacted(got, 'answer'))
        if (answered?.equals(recorded) === true) sums.same++
        else {
          sums.differing++
          options.differs({ exchange, recorded, answered })
        }
      }
      options.worked?.(sums)
    }
  } finally {
    for (const connection of open.values()) connection.close()
  }
  return sums
}

/** Notes the new path of a REST scanner, which differs between servers. */
function noteMoved(moved: Map<string, string>, recorded: Buffer, got: Buffer): void {
  const [before, now] = [recorded, got].map((answer) => headerOf(readHead(answer), 'location'))
  if (before !== undefined && now !== undefined) moved.set(pathOf(before), pathOf(now))
}

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : address
}

function httpRequest(request: Buffer, options: CompareOptions, moved: ReadonlyMap<string, string>): Buffer {
  const head = readHead(request)
  const [method = '', path = '', ...rest] = head.line.split(' ')
  // After the scanner's path follows the number of cells to return: `?c=256`.
  const query = path.indexOf('?')
  const end = query < 0 ? path.length : query
  const place = path.slice(0, end)
  const line = [method, (moved.get(place) ?? place) + path.slice(end), ...rest].join(' ')
  const replaced: Record<string, string> = { host: `${options.host}:${options.port}`, ...options.headers }
  const kept = head.headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return (
      !(lower in replaced) &&
      lower !== 'content-length' &&
      lower !== 'transfer-encoding' &&
      lower !== 'expect'
    )
  })
  const body = bodyOf(request)
  if (body.length > 0) replaced['content-length'] = String(body.length)
  return Buffer.concat([writeHead({ line, headers: [...kept, ...Object.entries(replaced)] }), body])
}

class AskingConnection {
  readonly #socket: Socket
  readonly #wire: Wire
  readonly #timeoutMs: number
  #conversation: Conversation | undefined
  #settle: ((answer: Buffer | undefined) => void) | undefined
  isClosed = false

  static async open(
    wire: Wire,
    options: CompareOptions,
    start: Buffer | undefined,
  ): Promise<AskingConnection> {
    const socket = connect({ host: options.host, port: options.port })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    const connection = new AskingConnection(socket, wire, options.timeoutMs)
    if (start !== undefined) {
      connection.#begin(start)
      socket.write(start)
    }
    return connection
  }

  private constructor(socket: Socket, wire: Wire, timeoutMs: number) {
    this.#socket = socket
    this.#wire = wire
    this.#timeoutMs = timeoutMs
    socket.on('data', (bytes: Buffer) => this.#received(bytes))
    socket.on('error', () => this.close())
    socket.on('close', () => {
      const last = this.#conversation?.answers.end?.()
      this.isClosed = true
      this.#settle?.(last)
    })
  }

  /** Sends a request. Resolves to the answer; undefined: the server has not answered, or no answer is expected. */
  async ask(request: Buffer, isAnswered: boolean): Promise<Buffer | undefined> {
    this.#begin(request)
    this.#socket.write(request)
    if (!isAnswered) return undefined
    const timer = setTimeout(() => this.close(), this.#timeoutMs)
    try {
      return await new Promise<Buffer | undefined>((resolve) => {
        if (this.isClosed) resolve(undefined)
        this.#settle = resolve
      })
    } finally {
      clearTimeout(timer)
      this.#settle = undefined
    }
  }

  close(): void {
    this.isClosed = true
    this.#socket.destroy()
  }

  /** Passes the request to the conversation, which may need it to cut the answer. */
  #begin(sent: Buffer): void {
    if (this.#conversation === undefined) {
      const conversation = this.#wire.conversation(sent)
      if (conversation === undefined || conversation === 'more')
        throw new Error('a connection of the recording does not begin with its protocol')
      this.#conversation = conversation
    }
    this.#conversation.requests.push(sent)
  }

  #received(bytes: Buffer): void {
    try {
      for (const message of this.#conversation?.answers.push(bytes) ?? [])
        if (!this.#wire.isEvent(message)) this.#settle?.(message)
    } catch {
      this.close()
    }
  }
}
