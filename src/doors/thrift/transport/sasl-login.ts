/** The login of a client of Thrift's TSaslClientTransport. HBase: ThriftServer, by TSaslServerTransport. */

import type { Socket } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import { dropBytes, takeBytes } from '../../../gateway/connections/direct-reading.ts'
import { type Deadlines, PeerClock } from '../../../gateway/connections/peer-clock.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { PLAIN } from '../../../gateway/identity/guard/plain-mechanism.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Peer } from './peer.ts'
import {
  beginMechanism,
  type LoggedIn,
  type Mechanism,
  SMALL_MESSAGE_BYTES_MAX,
  takenMechanisms,
} from './sasl-mechanisms.ts'
import { SASL_HEADER_BYTES, SaslStatus, saslMessage, saslStatusName } from './sasl-messages.ts'

export interface SaslLoginParts {
  readonly guard: Guard | undefined
  readonly queue: ByteQueue
  readonly memory: MemoryBudget
  readonly nowMs: number
  /** Called once the client has logged in. `rest`: bytes that it has sent after its login. */
  readonly loggedIn: (login: LoggedIn, rest: Buffer) => void
  readonly malformed: (reason: string) => void
}

export class SaslLogin implements Peer {
  readonly #socket: Socket
  readonly #parts: SaslLoginParts
  readonly #clock: PeerClock
  /** Undefined until the client has named its mechanism. */
  #mechanism: Mechanism | undefined
  /** True while the mechanism works on a message. */
  #isStepping = false
  #isDone = false

  constructor(socket: Socket, parts: SaslLoginParts) {
    this.#socket = socket
    this.#parts = parts
    this.#clock = new PeerClock(parts.nowMs)
    takeBytes(socket, this.#receive)
    socket.on('end', this.#end)
    socket.once('close', () => this.#mechanism?.close())
    this.#goOn()
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
    const { queue } = this.#parts
    try {
      queue.push(chunk, queue.length > SMALL_MESSAGE_BYTES_MAX)
    } catch (error) {
      this.#refuse(SaslStatus.error, reasonOf(error))
      return
    }
    this.#goOn()
  }

  /** Reads the messages that have come whole. The memory of a longer one that has not counts as that of a request. */
  #goOn(): void {
    const { queue } = this.#parts
    try {
      this.#readMessages()
      if (queue.length > SMALL_MESSAGE_BYTES_MAX) queue.keep()
      else queue.detach()
    } catch (error) {
      this.#refuse(SaslStatus.error, reasonOf(error))
    }
  }

  #readMessages(): void {
    const { queue, malformed } = this.#parts
    while (!this.#isDone && !this.#isStepping && queue.length >= SASL_HEADER_BYTES) {
      const status = queue.buffer[queue.start]!
      const bytes = queue.buffer.readInt32BE(queue.start + 1)
      if (saslStatusName(status) === undefined) {
        malformed(`the status ${status} in a SASL login`)
        this.#refuse(SaslStatus.error, `Invalid status ${status}`)
        return
      }
      if (bytes < 0 || bytes > (this.#mechanism?.messageBytesMax ?? SMALL_MESSAGE_BYTES_MAX)) {
        malformed(`a message of ${bytes} bytes in a SASL login`)
        this.#refuse(SaslStatus.error, `Invalid payload header length: ${bytes}`)
        return
      }
      if (queue.length < SASL_HEADER_BYTES + bytes) return
      this.#take(status, queue.take(SASL_HEADER_BYTES + bytes).subarray(SASL_HEADER_BYTES))
    }
  }

  #take(status: number, payload: Buffer): void {
    if (status === SaslStatus.bad || status === SaslStatus.error) {
      // The client has given up the login, and reads no answer.
      this.#isDone = true
      this.#socket.destroy()
    } else if (this.#mechanism === undefined) {
      if (status === SaslStatus.start) this.#begin(payload.toString('utf8'))
      else this.#expected('START', status)
    } else if (status === SaslStatus.start) this.#expected('OK or COMPLETE', status)
    else void this.#step(this.#mechanism, payload)
  }

  #expected(statuses: string, status: number): void {
    const name = saslStatusName(status)
    this.#parts.malformed(`the status ${name} in a SASL login`)
    this.#refuse(SaslStatus.error, `Expecting ${statuses} status, received ${name}`)
  }

  #begin(name: string): void {
    const { guard } = this.#parts
    this.#mechanism = guard && beginMechanism(name, guard, this.#socket)
    if (this.#mechanism !== undefined) return
    const taken = takenMechanisms(guard)
    const advice = taken.length > 0 ? `it is ${taken.join(' or ')}` : this.#withoutSasl
    if (name === PLAIN) this.#refuse(SaslStatus.bad, `this server takes no passwords: ${this.#withoutSasl}`)
    else this.#refuse(SaslStatus.bad, `Unsupported mechanism type ${name}: ${advice}`)
  }

  get #withoutSasl(): string {
    const { guard } = this.#parts
    return guard === undefined || guard.ofCertificate(ConnectionOrigin.of(this.#socket)) !== undefined
      ? 'connect without SASL'
      : guard.advice('thrift')
  }

  async #step(mechanism: Mechanism, payload: Buffer): Promise<void> {
    const { memory } = this.#parts
    const socket = this.#socket
    // Bytes that the client sends meanwhile stay in its socket.
    socket.pause()
    this.#isStepping = true
    memory.note(payload.length)
    try {
      const { answer, loggedIn } = await mechanism.step(payload)
      this.#isStepping = false
      if (socket.destroyed || this.#isDone) return
      socket.write(saslMessage(loggedIn === undefined ? SaslStatus.ok : SaslStatus.complete, answer))
      if (loggedIn === undefined) this.#goOn()
      else this.#complete(mechanism, loggedIn)
    } catch (error) {
      this.#refuse(SaslStatus.bad, isHBaseError(error) ? error.message : 'the login failed')
    } finally {
      memory.give(payload.length)
      socket.resume()
    }
  }

  #complete(mechanism: Mechanism, loggedIn: LoggedIn): void {
    this.#isDone = true
    this.#socket.off('end', this.#end)
    if (loggedIn.layer === undefined) mechanism.close()
    const { queue } = this.#parts
    this.#parts.loggedIn(loggedIn, queue.take(queue.length))
  }

  #refuse(status: number, reason: string): void {
    this.#isDone = true
    this.#mechanism?.close()
    this.#parts.queue.clear()
    dropBytes(this.#socket)
    // Read on: with unread bytes, the connection would be reset before the client has the answer.
    this.#socket.resume()
    this.#socket.end(saslMessage(status, Buffer.from(reason)))
  }
}
