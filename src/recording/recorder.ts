/** A proxy that hands on every byte, and keeps the messages. */

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Conversation, ProtocolName, Wire } from './protocol.ts'
import { exchangeLine, headLine, noteLine, startLine } from './tape.ts'
import { wireOf } from './wires.ts'

export interface RecorderOptions {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly target: { readonly host: string; readonly port: number }
  /** Takes the lines of the recording. */
  readonly write: (line: string) => void
  /** Milliseconds. */
  readonly now: () => number
  /** When the recording begins, as ISO 8601. */
  readonly begun: string
}

export interface Recorder {
  readonly port: number
  /** What has been kept so far. */
  readonly sums: { connections: number; exchanges: number; notes: number }
  close(): Promise<void>
}

/** Resolves once it listens. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const sums = { connections: 0, exchanges: 0, notes: 0 }
  const begunAt = options.now()
  const sockets = new Set<Socket>()
  let protocol: ProtocolName | undefined
  const tell: Tell = {
    now: () => Math.round((options.now() - begunAt) * 1000) / 1000,
    /** One recording is of one protocol: the first connection's. */
    takes: (wire) => {
      if (protocol === undefined) {
        protocol = wire.name
        const { host, port } = options.target
        options.write(headLine({ protocol, server: `${host}:${port}`, begun: options.begun }))
      }
      return protocol === wire.name
    },
    line: (kind, line) => {
      if (protocol === undefined) return
      if (kind !== 'start') sums[kind]++
      options.write(line)
    },
  }
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ ...options.target, allowHalfOpen: true })
    const pair = new RecordedPair(++sums.connections, tell)
    join(client, target, pair)
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
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

interface Tell {
  now(): number
  takes(wire: Wire): boolean
  line(kind: 'exchanges' | 'notes' | 'start', line: string): void
}

/** Hands on first and looks then: a message that cannot be read is no reason to keep it from its reader. */
function join(client: Socket, target: Socket, pair: RecordedPair): void {
  const ended = (): void => {
    client.destroy()
    target.destroy()
    pair.end()
  }
  for (const [from, to, side] of [
    [client, target, 'request'],
    [target, client, 'answer'],
  ] as const) {
    from.on('data', (bytes: Buffer) => {
      if (!to.write(bytes)) from.pause()
      pair.saw(side, bytes)
    })
    to.on('drain', () => from.resume())
    from.on('end', () => to.end())
    from.on('error', ended)
    from.on('close', ended)
  }
}

interface Asked {
  readonly id: number | undefined
  readonly at: number
  readonly request: Buffer
}

/** One connection. */
class RecordedPair {
  readonly #connection: number
  readonly #tell: Tell
  #begin: Buffer | undefined = Buffer.alloc(0)
  #wire: Wire | undefined
  #conversation: Conversation | undefined
  #needsStart = false
  readonly #asked: Asked[] = []

  constructor(connection: number, tell: Tell) {
    this.#connection = connection
    this.#tell = tell
  }

  saw(side: 'request' | 'answer', bytes: Buffer): void {
    try {
      if (side === 'request') this.#sawRequest(bytes)
      else this.#sawAnswer(bytes)
    } catch (error) {
      this.#stop(`${(error as Error).message}; the rest of the connection is not recorded`)
    }
  }

  end(): void {
    try {
      const last = this.#conversation?.answers.end?.()
      if (last !== undefined) this.#answered(last)
      for (const asked of this.#asked.splice(0)) this.#keep(asked, null)
    } catch (error) {
      // Such as a message that is longer than a text may be.
      this.#stop(`${(error as Error).message}; its last messages are not recorded`)
    }
    this.#conversation = undefined
    this.#begin = undefined
  }

  #sawRequest(bytes: Buffer): void {
    if (this.#begin !== undefined) {
      this.#begin = Buffer.concat([this.#begin, bytes])
      const wire = wireOf(this.#begin)
      if (wire === 'more') return
      const begin = this.#begin
      this.#begin = undefined
      if (wire === undefined || !this.#tell.takes(wire)) {
        this.#stop('a login, TLS or another protocol: the connection is not recorded')
        return
      }
      this.#wire = wire
      this.#needsStart = wire.hasStart
      this.#conversation = wire.conversation(begin) as Conversation
      this.#requests(this.#conversation.requests.push(begin))
      return
    }
    if (this.#conversation !== undefined) this.#requests(this.#conversation.requests.push(bytes))
  }

  #requests(messages: readonly Buffer[]): void {
    const wire = this.#wire!
    for (const message of messages) {
      if (this.#needsStart) {
        this.#needsStart = false
        this.#tell.line('start', startLine({ connection: this.#connection, start: message }))
        continue
      }
      const request = Buffer.from(wire.redacted(message, 'request'))
      const asked = { id: wire.idOf(message, 'request'), at: this.#tell.now(), request }
      if (wire.isAnswered(message)) this.#asked.push(asked)
      else this.#keep(asked, null)
    }
  }

  #sawAnswer(bytes: Buffer): void {
    if (this.#conversation === undefined) return
    for (const message of this.#conversation.answers.push(bytes)) this.#answered(message)
  }

  #answered(message: Buffer): void {
    const wire = this.#wire!
    if (wire.isEvent(message)) return
    const id = wire.idOf(message, 'answer')
    const index = id === undefined ? 0 : this.#asked.findIndex((asked) => asked.id === id)
    const [asked] = this.#asked.splice(index, index < 0 ? 0 : 1)
    if (asked !== undefined) this.#keep(asked, Buffer.from(wire.redacted(message, 'answer')))
  }

  #keep({ at, request }: Asked, answer: Buffer | null): void {
    const took = answer === null ? null : Math.round((this.#tell.now() - at) * 1000) / 1000
    const connection = this.#connection
    this.#tell.line('exchanges', exchangeLine({ connection, at, took, request, answer }))
  }

  #stop(note: string): void {
    this.#begin = undefined
    this.#conversation = undefined
    this.#asked.length = 0
    this.#tell.line('notes', noteLine(this.#connection, note))
  }
}
