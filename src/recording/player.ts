/** Answers clients from a recording, by the contents of their requests and not by their order. */

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Conversation, Wire } from './protocol.ts'
import type { Exchange, Tape } from './tape.ts'
import { WIRES } from './wires.ts'

export interface Player {
  readonly port: number
  readonly sums: { answered: number; unknown: number }
  close(): Promise<void>
}

export interface PlayerOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Gets requests that the recording does not have, as text for operators. */
  readonly unknown: (request: string) => void
}

/** Starts a server that answers from the recording. Resolves once it listens. */
export async function startPlayer(tape: Tape, options: PlayerOptions): Promise<Player> {
  const wire = WIRES[tape.head.protocol]
  const sums = { answered: 0, unknown: 0 }
  const answers = new Answers(wire, tape.exchanges)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    const played = new PlayedConnection(socket, wire, (request) => {
      const exchange = answers.take(request)
      if (exchange === undefined) {
        sums.unknown++
        options.unknown(request.toString('latin1').slice(0, 200))
        return wire.isAnswered(request) ? wire.refusal(request) : null
      }
      sums.answered++
      if (exchange.answer === null) return wire.isAnswered(request) ? undefined : null
      return wire.answerTo(request, { request: exchange.request, answer: exchange.answer })
    })
    played.listen()
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    sums,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** The recorded answers. A request that was recorded several times gets its answers in order, and then the last one again. */
class Answers {
  readonly #wire: Wire
  readonly #byKey = new Map<string, Exchange[]>()

  constructor(wire: Wire, exchanges: readonly Exchange[]) {
    this.#wire = wire
    for (const exchange of exchanges.toSorted((a, b) => a.at - b.at)) {
      const key = wire.keyOf(exchange.request)
      const known = this.#byKey.get(key)
      if (known === undefined) this.#byKey.set(key, [exchange])
      else known.push(exchange)
    }
  }

  take(request: Buffer): Exchange | undefined {
    const known = this.#byKey.get(this.#wire.keyOf(this.#wire.redacted(request, 'request')))
    return known !== undefined && known.length > 1 ? known.shift() : known?.[0]
  }
}

class PlayedConnection {
  readonly #socket: Socket
  readonly #wire: Wire
  /** Returns the answer to a request; null: there is none; undefined: the connection ends. */
  readonly #answer: (request: Buffer) => Buffer | null | undefined
  #begin: Buffer = Buffer.alloc(0)
  #conversation: Conversation | undefined
  #needsStart: boolean
  /** Received requests that are not answered yet. */
  readonly #waiting: Buffer[] = []

  constructor(socket: Socket, wire: Wire, answer: (request: Buffer) => Buffer | null | undefined) {
    this.#socket = socket
    this.#wire = wire
    this.#answer = answer
    this.#needsStart = wire.hasStart
  }

  listen(): void {
    const guarded = (work: () => void): void => {
      try {
        work()
      } catch {
        this.#socket.destroy()
      }
    }
    this.#socket.on('data', (bytes: Buffer) => guarded(() => this.#take(bytes)))
    this.#socket.on('drain', () => guarded(() => this.#answerAll()))
  }

  #take(bytes: Buffer): void {
    if (this.#conversation === undefined) {
      this.#begin = Buffer.concat([this.#begin, bytes])
      const conversation = this.#wire.conversation(this.#begin)
      if (conversation === 'more') return
      if (conversation === undefined) throw new Error('not the protocol of the recording')
      this.#conversation = conversation
      this.#waiting.push(...conversation.requests.push(this.#begin))
    } else this.#waiting.push(...this.#conversation.requests.push(bytes))
    this.#answerAll()
  }

  /** Answers the waiting requests. It pauses while the client does not read the answers. */
  #answerAll(): void {
    this.#socket.resume()
    while (this.#waiting.length > 0) {
      if (this.#socket.writableNeedDrain) {
        this.#socket.pause()
        return
      }
      const message = this.#waiting.shift()!
      if (this.#needsStart) {
        this.#needsStart = false
        continue
      }
      const answer = this.#answer(message)
      if (answer === undefined) {
        this.#waiting.length = 0
        this.#socket.end()
        return
      }
      if (answer !== null) this.#socket.write(answer)
    }
  }
}
