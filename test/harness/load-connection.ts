import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { type AnswerEnd, type AnswerForm, answerEnd } from './answer-end.ts'

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
}

/** A connection of a load generator: one request at a time, whose answer is only counted. */
export class LoadConnection {
  readonly #socket: Socket
  readonly #end: AnswerEnd
  /** The answer to the last request is whole. */
  onAnswer: () => void = () => undefined
  /** The connection is of no use any more. */
  onFailure: (error: Error) => void = () => undefined

  static async open({ port, answers, preface, tls }: LoadTarget): Promise<LoadConnection> {
    const socket = await openSocket(port, tls)
    if (preface !== undefined) await introduce(socket, preface)
    return new LoadConnection(socket, answerEnd(answers))
  }

  private constructor(socket: Socket, end: AnswerEnd) {
    this.#socket = socket
    this.#end = end
    socket.on('data', (chunk: Buffer) => {
      try {
        if (this.#end.take(chunk)) this.onAnswer()
      } catch (error) {
        this.onFailure(error as Error)
      }
    })
    socket.once('error', (error) => this.onFailure(error))
    socket.once('close', () => this.onFailure(new Error('the server closed a connection under load')))
  }

  send(request: Buffer): void {
    this.#end.begin()
    this.#socket.write(request)
  }

  close(): void {
    this.#socket.destroy()
  }
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
