/**
 * A built server that damaged input is thrown at. After each input it must close that connection, answer a healthy client
 * soon, whose connection stays open, and have logged no bug. In the end its memory must come back.
 */

import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ChildServer } from '../child-server.ts'
import { askOnce, isWholeFrame } from '../closed-loop.ts'
import { checkAnswer, createTable, getRow } from '../thrift-frames.ts'
import { FREE_PORTS, MAIN, makeTemporaryFolder } from '../tidegate-process.ts'

const HEALTHY = getRow('healthy', 'r')
const CLOSE_MS_MAX = 10_000
const HEALTHY_MS_MAX = 5000
/** Beyond the memory that the server has once it has seen its first inputs. */
const GROWTH_BYTES_MAX = 256 * 1024 * 1024
const WARM_INPUTS = 200
const RETURN_MS_MAX = 20_000
const LOOK_MS = 500
/** pino's number of the level `error`. */
const BUG = /"level":(?:50|60)\b.*/

export type WatchedDoor = 'rest' | 'thrift' | 'zookeeper' | 'rpc'

export class WatchedServer {
  readonly #server: ChildServer
  readonly #folder: string
  readonly #log: number
  readonly #healthy: Socket
  #logBytes = 0
  #inputs = 0
  #warmBytes = Number.NaN

  private constructor(server: ChildServer, folder: string, log: number, healthy: Socket) {
    this.#server = server
    this.#folder = folder
    this.#log = log
    this.#healthy = healthy
  }

  static async start(...args: readonly string[]): Promise<WatchedServer> {
    const folder = makeTemporaryFolder()
    const log = openSync(join(folder, 'log'), 'w+')
    const store = `native:${join(folder, 'store')}`
    const server = await ChildServer.start(MAIN, ['serve', '--store', store, ...FREE_PORTS, ...args], log)
    checkAnswer(await askOnce(server.port('thrift'), createTable('healthy', 'f'), isWholeFrame))
    const healthy = connect({ port: server.port('thrift'), host: '127.0.0.1', noDelay: true })
    healthy.on('error', () => undefined)
    return new WatchedServer(server, folder, log, healthy)
  }

  /** Resolves to the answer. Throws where the server breaks a promise. */
  async take(door: WatchedDoor, input: Buffer): Promise<Buffer> {
    const answer = await exchange(this.#server.port(door), input)
    await this.#checkHealth()
    this.#checkLog()
    if (++this.#inputs === WARM_INPUTS) this.#warmBytes = this.#server.residentBytes()
    return answer
  }

  /** Ends the server. Throws where its memory has not come back, or it does not end in order. */
  async stop(): Promise<void> {
    const end = performance.now() + RETURN_MS_MAX
    while (this.#growth() > GROWTH_BYTES_MAX && performance.now() < end) await pause(LOOK_MS)
    const growth = this.#growth()
    this.#healthy.destroy()
    const code = await this.#server.stop()
    closeSync(this.#log)
    rmSync(this.#folder, { recursive: true, force: true })
    if (growth > GROWTH_BYTES_MAX) throw new Error(`the server has grown by ${growth} bytes`)
    if (code !== 0) throw new Error(`the server ended with code ${code}`)
  }

  /** NaN before the server is warm. */
  #growth(): number {
    return this.#server.residentBytes() - this.#warmBytes
  }

  #checkHealth(): Promise<void> {
    const socket = this.#healthy
    return new Promise((resolve, reject) => {
      const settle = (error: Error | undefined): void => {
        clearTimeout(timer)
        socket.removeAllListeners('data').removeAllListeners('close')
        if (error === undefined) resolve()
        else reject(error)
      }
      const timer = setTimeout(
        () => settle(new Error(`a healthy request waits for more than ${HEALTHY_MS_MAX} ms`)),
        HEALTHY_MS_MAX,
      )
      let answer: Buffer = Buffer.alloc(0)
      socket.once('close', () => settle(new Error('the server has closed a healthy connection')))
      socket.on('data', (chunk: Buffer) => {
        answer = Buffer.concat([answer, chunk])
        if (isWholeFrame(answer)) settle(undefined)
      })
      socket.write(HEALTHY)
    })
  }

  /** The server writes a line before it answers. */
  #checkLog(): void {
    const chunk = Buffer.alloc(64 * 1024)
    const text = chunk.toString('utf8', 0, readSync(this.#log, chunk, 0, chunk.length, this.#logBytes))
    this.#logBytes += Buffer.byteLength(text)
    const bug = BUG.exec(text)
    if (bug !== null) throw new Error(`the server logs ${bug[0].slice(0, 1000)}`)
  }
}

/** Sends the bytes and the connection's end; resolves when the server has closed its side. */
function exchange(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const answer: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the connection is open ${CLOSE_MS_MAX} ms after its end`))
    }, CLOSE_MS_MAX)
    socket.once('connect', () => socket.end(bytes))
    socket.on('data', (chunk: Buffer) => answer.push(chunk))
    // The server may hang up while bytes are on their way.
    socket.once('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(answer))
    })
  })
}
