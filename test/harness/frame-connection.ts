import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

const LENGTH_BYTES = 4

/** A connection whose messages follow their int32 length, one at a time. */
export class FrameConnection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #settle: ((answer: Buffer | undefined) => void) | undefined
  readonly #closed: Promise<void>

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#settle?.(undefined)
        resolve()
      })
    })
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.#look()
    })
  }

  /** `ca`: the authority of the server's certificate; undefined: without TLS. */
  static open(port: number, ca?: string): Promise<FrameConnection> {
    return new Promise((resolve, reject) => {
      const at = { port, host: '127.0.0.1' }
      const socket = ca === undefined ? connect(at) : connectTls({ ...at, ca })
      const opened = ca === undefined ? 'connect' : 'secureConnect'
      socket.once(opened, () => resolve(new FrameConnection(socket)))
      socket.once('error', reject)
    })
  }

  /** Resolves to the answer with its length. Rejects where the connection is closed instead. */
  ask(frame: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#settle = (answer) => {
        this.#settle = undefined
        if (answer === undefined) reject(new Error('the connection ended without an answer'))
        else resolve(answer)
      }
      if (this.#socket.destroyed) this.#settle(undefined)
      else this.#socket.write(frame)
    })
  }

  /** Resolves once the connection is closed, by either side. */
  get closed(): Promise<void> {
    return this.#closed
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Ends the connection as a client does that is killed. */
  reset(): void {
    this.#socket.resetAndDestroy()
  }

  #look(): void {
    if (this.#received.length < LENGTH_BYTES) return
    const end = LENGTH_BYTES + this.#received.readInt32BE(0)
    if (this.#received.length < end) return
    const answer = this.#received.subarray(0, end)
    this.#received = this.#received.subarray(end)
    this.#settle?.(answer)
  }
}
