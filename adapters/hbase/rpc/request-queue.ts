/**
 * Encoded requests that wait for the socket, in one buffer. The requests of one turn of the event loop go out in one write. A
 * waiting request can be withdrawn.
 */

import type { CellBlock } from '../../../src/model/cell-block.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { type SentHeader, writeRequest } from '../../../src/wire/rpc/request-frame.ts'
import type { PendingCall } from './pending-call.ts'

type QueuedCall = Pick<PendingCall, 'method' | 'waiting' | 'requestStart' | 'requestEnd'>

export class RequestQueue {
  readonly #writer = new MessageWriter()
  #calls: QueuedCall[] = []
  /** Bytes of sent and dropped requests that still lie in the buffer. */
  #deadBytes = 0

  get bytes(): number {
    return this.#writer.length - this.#deadBytes
  }

  /** Appends a call's request and returns its length in bytes. Appends nothing where the method's encoder throws. */
  add(call: QueuedCall, header: SentHeader, request: unknown, cells: readonly CellBlock[]): number {
    const writer = this.#writer
    const start = writer.length
    try {
      writeRequest(writer, header, call.method, request as never, cells)
    } catch (error) {
      writer.length = start
      throw error
    }
    call.requestStart = start
    call.requestEnd = writer.length
    call.waiting = true
    this.#calls.push(call)
    return writer.length - start
  }

  /** Withdraws a request that is not sent yet. */
  drop(call: QueuedCall): void {
    if (!call.waiting) return
    call.waiting = false
    this.#deadBytes += call.requestEnd - call.requestStart
    if (this.#deadBytes * 2 >= this.#writer.length) this.#compact()
  }

  /**
   * The first requests, at least one and at most `bytesMax` bytes, in a buffer of the caller's own; undefined where none
   * waits.
   */
  take(bytesMax: number): Buffer | undefined {
    if (this.bytes > bytesMax) return this.#takeSome(bytesMax)
    if (this.#deadBytes > 0) this.#compact()
    if (this.#calls.length === 0) return undefined
    for (const call of this.#calls) call.waiting = false
    this.#calls = []
    return this.#writer.take()
  }

  #takeSome(bytesMax: number): Buffer {
    const taken: Buffer[] = []
    let bytes = 0
    for (const call of this.#calls) {
      if (!call.waiting) continue
      const { requestStart: start, requestEnd: end } = call
      if (bytes > 0 && bytes + end - start > bytesMax) break
      bytes += end - start
      taken.push(this.#writer.buffer.subarray(start, end))
      call.waiting = false
    }
    const copy = Buffer.concat(taken)
    this.#deadBytes += bytes
    if (this.#deadBytes * 2 >= this.#writer.length) this.#compact()
    return copy
  }

  #compact(): void {
    const { buffer } = this.#writer
    let at = 0
    this.#calls = this.#calls.filter((call) => {
      if (!call.waiting) return false
      const length = call.requestEnd - call.requestStart
      buffer.copyWithin(at, call.requestStart, call.requestEnd)
      call.requestStart = at
      at += length
      call.requestEnd = at
      return true
    })
    this.#writer.length = at
    this.#deadBytes = 0
    this.#writer.shrink()
  }
}
