import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { type AnswerEnd, type AnswerForm, answerEnd } from './answer-end.ts'
import type { AnswerTally } from './answer-tally.ts'

/** Longest pause within an answer, and before it. */
export const SILENCE_MS = 30_000
/** Bytes of an answer that a message about it shows. */
const SHOWN_BYTES = 256

/** `tls`: how the connection is encrypted; undefined: it is not. */
export function openSocket(port: number, tls?: ConnectionOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const to = { port, host: '127.0.0.1' }
    const socket = tls === undefined ? connect({ ...to, noDelay: true }) : connectTls({ ...tls, ...to })
    socket.setNoDelay(true)
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** What a connection begins with. */
export interface Preface {
  readonly bytes: Buffer
  /** Bytes that the server answers to it. */
  readonly answerBytes: number
}

export interface LoadTarget {
  readonly port: number
  readonly answers: AnswerForm
  readonly preface?: Preface | undefined
  readonly tls?: ConnectionOptions | undefined
  readonly tally: AnswerTally
}

/** A connection of a load generator: one request at a time. */
export class LoadConnection {
  readonly #socket: Socket
  readonly #end: AnswerEnd
  readonly #tally: AnswerTally
  /** Of the answer to the last request. */
  #chunks: Buffer[] = []
  #bytes = 0
  #isRead = false
  #isAwaiting = false
  /** The answer to the last request is whole. */
  onAnswer: () => void = () => undefined
  /** The connection is of no use any more. */
  onFailure: (error: Error) => void = () => undefined

  static async open({ port, answers, preface, tls, tally }: LoadTarget): Promise<LoadConnection> {
    const socket = await openSocket(port, tls)
    if (preface !== undefined) await introduce(socket, preface)
    return new LoadConnection(socket, answerEnd(answers), tally)
  }

  private constructor(socket: Socket, end: AnswerEnd, tally: AnswerTally) {
    this.#socket = socket
    this.#end = end
    this.#tally = tally
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#take(chunk)
      } catch (error) {
        this.onFailure(error as Error)
      }
    })
    socket.setTimeout(SILENCE_MS, () => {
      if (this.#isAwaiting) this.onFailure(silence(this.#bytes, Buffer.concat(this.#chunks)))
    })
    socket.once('error', (error) => this.onFailure(error))
    socket.once('close', () => this.onFailure(new Error('the server closed a connection under load')))
  }

  send(request: Buffer): void {
    this.#end.begin()
    this.#chunks = []
    this.#bytes = 0
    this.#isRead = this.#tally.readsNext
    this.#isAwaiting = true
    this.#socket.write(request)
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (!this.#end.take(chunk)) return
    this.#isAwaiting = false
    this.#tally.add(this.#bytes, this.#chunks, this.#isRead)
    this.onAnswer()
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** The failure of a server that has sent only a part of an answer. */
export function silence(bytes: number, begun: Buffer): Error {
  const shown = begun.toString('latin1', 0, SHOWN_BYTES)
  return new Error(`an answer stopped after ${bytes} bytes: ${shown}`)
}

/** Resolves once the server has answered as many bytes as it does to a client that it lets in. */
function introduce(socket: Socket, { bytes, answerBytes }: Preface): Promise<void> {
  socket.write(bytes)
  if (answerBytes === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    let answer: Buffer = Buffer.alloc(0)
    const ended = (): void =>
      reject(new Error(`the server ended a connection at its begin: ${answer.toString()}`))
    const take = (chunk: Buffer): void => {
      answer = Buffer.concat([answer, chunk])
      if (answer.length < answerBytes) return
      socket.off('data', take).off('close', ended)
      if (answer.length === answerBytes) resolve()
      else reject(new Error(`the server does not let this client in: ${answer.toString()}`))
    }
    socket.on('data', take).once('close', ended)
  })
}

/** So many connections. */
export function openConnections(target: LoadTarget, count: number): Promise<LoadConnection[]> {
  return Promise.all(Array.from({ length: count }, () => LoadConnection.open(target)))
}
