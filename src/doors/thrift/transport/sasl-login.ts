/** The login of a client of Thrift's TSaslClientTransport: messages of a status byte, an int32 length and that many bytes. */

import type { Socket } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import { dropBytes, takeBytes } from '../../../gateway/connections/direct-reading.ts'
import { type Deadlines, PeerClock } from '../../../gateway/connections/peer-clock.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { LoginPlace } from '../../../gateway/identity/guard/login-place.ts'
import { PLAIN, readPlain } from '../../../gateway/identity/guard/plain-mechanism.ts'
import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Principal } from '../../../store/call.ts'
import type { Peer } from './peer.ts'

/** Thrift: TSaslTransport.NegotiationStatus. */
const STATUS = { start: 1, ok: 2, bad: 3, error: 4, complete: 5 } as const
const HEADER_BYTES = 5
/** Most bytes of a message. A name and a password have far fewer. */
const MESSAGE_BYTES_MAX = 4096

export interface SaslLoginParts {
  readonly guard: Guard | undefined
  readonly queue: ByteQueue
  readonly nowMs: number
  /** Called once the client has logged in. `rest`: bytes that it has sent after its login. */
  readonly loggedIn: (principal: Principal, rest: Buffer) => void
  readonly malformed: (reason: string) => void
}

export class SaslLogin implements Peer {
  readonly #socket: Socket
  readonly #parts: SaslLoginParts
  readonly #clock: PeerClock
  #hasMechanism = false
  #isDone = false

  constructor(socket: Socket, parts: SaslLoginParts) {
    this.#socket = socket
    this.#parts = parts
    this.#clock = new PeerClock(parts.nowMs)
    takeBytes(socket, this.#receive)
    socket.on('end', this.#end)
    this.#go()
  }

  expire(nowMs: number, deadlines: Deadlines): void {
    const activity = { isRunning: false, calls: 0, receives: 'headers' } as const
    if (this.#clock.lateness(nowMs, this.#socket, activity, deadlines) !== undefined) this.#socket.destroy()
  }

  close(): void {
    this.#socket.destroy()
  }

  readonly #end = (): void => void this.#socket.destroy()

  readonly #receive = (chunk: Buffer): void => {
    try {
      this.#parts.queue.push(chunk, false)
      this.#go()
      this.#parts.queue.detach()
    } catch (error) {
      this.#refuse(STATUS.error, reasonOf(error))
    }
  }

  #go(): void {
    const { queue } = this.#parts
    while (!this.#isDone && queue.length >= HEADER_BYTES) {
      const status = queue.buffer[queue.start]!
      const bytes = queue.buffer.readInt32BE(queue.start + 1)
      if (bytes < 0 || bytes > MESSAGE_BYTES_MAX) {
        this.#parts.malformed(`a message of ${bytes} bytes in a SASL login`)
        this.#refuse(STATUS.bad, `Invalid payload header length: ${bytes}`)
        return
      }
      if (queue.length < HEADER_BYTES + bytes) return
      this.#message(status, queue.take(HEADER_BYTES + bytes).subarray(HEADER_BYTES))
    }
  }

  #message(status: number, payload: Buffer): void {
    if (!this.#hasMechanism) {
      const mechanism = payload.toString('latin1')
      if (this.#parts.guard?.takesPasswords !== true)
        this.#refuse(STATUS.bad, `this server takes no passwords: ${this.#withoutPasswords}`)
      else if (mechanism === PLAIN) this.#hasMechanism = true
      else this.#refuse(STATUS.bad, `Unsupported mechanism type ${mechanism}: it is ${PLAIN}`)
    } else if (status === STATUS.ok || status === STATUS.complete) {
      this.#isDone = true
      void this.#logIn(payload)
    } else {
      this.#parts.malformed(`the status ${status} in a SASL login`)
      this.#refuse(STATUS.error, `Expecting OK or COMPLETE, received status ${status}`)
    }
  }

  get #withoutPasswords(): string {
    const { guard } = this.#parts
    return guard === undefined || guard.ofCertificate(ConnectionOrigin.of(this.#socket)) !== undefined
      ? 'connect without SASL'
      : guard.advice('thrift')
  }

  async #logIn(payload: Buffer): Promise<void> {
    const socket = this.#socket
    // Bytes that the client sends meanwhile stay in its socket.
    socket.pause()
    try {
      const { actingAs, name, password } = readPlain(payload)
      const guard = this.#parts.guard!
      const place = new LoginPlace(ConnectionOrigin.of(socket), 'thrift')
      const shown = await guard.ofConnection(name, password, place, socket)
      const principal = actingAs === '' ? shown : await guard.actingFor(shown, actingAs, place)
      if (socket.destroyed) return
      socket.off('end', this.#end)
      socket.write(message(STATUS.complete, ''))
      const { queue } = this.#parts
      this.#parts.loggedIn(principal, queue.take(queue.length))
      socket.resume()
    } catch (error) {
      this.#refuse(STATUS.bad, isHBaseError(error) ? error.message : 'the login failed')
      socket.resume()
    }
  }

  #refuse(status: number, reason: string): void {
    this.#isDone = true
    dropBytes(this.#socket)
    // Read on: with unread bytes, the connection would be reset before the client has the answer.
    this.#socket.resume()
    this.#socket.end(message(status, reason))
  }
}

function message(status: number, text: string): Buffer {
  const payload = Buffer.from(text)
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = status
  header.writeInt32BE(payload.length, 1)
  return Buffer.concat([header, payload])
}
