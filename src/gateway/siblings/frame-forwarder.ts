/** Forwards calls to a sibling, in protocols whose messages follow their int32 length: framed Thrift, native RPC. */

import { connect, type Socket } from 'node:net'

const LENGTH_BYTES = 4
/** Idle connections that are kept for further calls. */
const IDLE_MAX = 32

export interface ForwardedCall {
  /** The path at which the sibling listens. */
  readonly address: string
  /** The first bytes of every connection. */
  readonly greeting: Buffer
  /** The protocol of the message: a sibling keeps each connection to the one that it began with. */
  readonly protocol: string
  /** The message with its length. */
  readonly frame: Buffer
  readonly signal: AbortSignal | undefined
}

/** Each connection carries one call at a time: a client that hangs up ends its own call and no other. */
export class FrameForwarder {
  /** The connection used last is the last. */
  readonly #idle: { readonly key: string; readonly socket: Socket }[] = []
  #isClosed = false

  /** Resolves to the answer with its length; undefined where the sibling is gone, or the client no longer waits. */
  async ask(call: ForwardedCall): Promise<Buffer | undefined> {
    if (call.signal?.aborted === true) return undefined
    const key = `${call.address} ${call.protocol} ${call.greeting.toString('latin1')}`
    const socket = this.#taken(key) ?? this.#connected(call)
    const answer = await exchange(socket, call)
    if (answer === undefined || this.#isClosed) socket.destroy()
    else this.#keep(key, socket)
    return answer
  }

  close(): void {
    this.#isClosed = true
    for (const { socket } of this.#idle.splice(0)) socket.destroy()
  }

  #taken(key: string): Socket | undefined {
    const at = this.#idle.findLastIndex((kept) => kept.key === key)
    if (at < 0) return undefined
    return this.#idle.splice(at, 1)[0]!.socket
  }

  #connected(call: ForwardedCall): Socket {
    const socket = connected(call)
    socket.once('close', () => {
      const at = this.#idle.findIndex((kept) => kept.socket === socket)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    return socket
  }

  #keep(key: string, socket: Socket): void {
    if (socket.destroyed) return
    this.#idle.push({ key, socket })
    if (this.#idle.length > IDLE_MAX) this.#idle.shift()!.socket.destroy()
  }
}

function connected({ address, greeting }: ForwardedCall): Socket {
  const socket = connect({ path: address })
  // The close follows and is handled.
  socket.on('error', () => undefined)
  socket.write(greeting)
  return socket
}

/** Makes one call over an idle connection. Resolves to undefined where the connection ends. */
function exchange(socket: Socket, { frame, signal }: ForwardedCall): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    let wanted = LENGTH_BYTES
    const end = (answer: Buffer | undefined): void => {
      socket.off('data', receive)
      socket.off('close', closed)
      signal?.removeEventListener('abort', hangUp)
      resolve(answer)
    }
    const receive = (chunk: Buffer): void => {
      chunks.push(chunk)
      length += chunk.length
      if (wanted === LENGTH_BYTES && length >= LENGTH_BYTES) {
        const head = chunks.length === 1 ? chunk : Buffer.concat(chunks)
        wanted = LENGTH_BYTES + head.readUInt32BE(0)
      }
      if (wanted > LENGTH_BYTES && length >= wanted) end(Buffer.concat(chunks))
    }
    const closed = (): void => end(undefined)
    const hangUp = (): void => void socket.destroy()
    socket.on('data', receive)
    socket.once('close', closed)
    signal?.addEventListener('abort', hangUp, { once: true })
    if (socket.destroyed) closed()
    else socket.write(frame)
  })
}
