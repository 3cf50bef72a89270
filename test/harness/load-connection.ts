import { connect, type Socket } from 'node:net'
import { type AnswerEnd, type AnswerForm, answerEnd } from './answer-end.ts'

export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

export interface LoadTarget {
  readonly port: number
  readonly answers: AnswerForm
  /** What a connection begins with; the server answers nothing to it. */
  readonly preface?: Buffer | undefined
}

/** A connection of a load generator: one request at a time, whose answer is only counted. */
export class LoadConnection {
  readonly #socket: Socket
  readonly #end: AnswerEnd
  /** The answer to the last request is whole. */
  onAnswer: () => void = () => undefined
  /** The connection is of no use any more. */
  onFailure: (error: Error) => void = () => undefined

  static async open({ port, answers, preface }: LoadTarget): Promise<LoadConnection> {
    const connection = new LoadConnection(await openSocket(port), answerEnd(answers))
    if (preface !== undefined) connection.#socket.write(preface)
    return connection
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

/** So many connections. */
export function openConnections(target: LoadTarget, count: number): Promise<LoadConnection[]> {
  return Promise.all(Array.from({ length: count }, () => LoadConnection.open(target)))
}
