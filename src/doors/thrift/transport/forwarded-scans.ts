/** Calls of scanners that a sibling has: the message goes there as it is, and its reply comes back. */

import { FrameForwarder } from '../../../gateway/siblings/frame-forwarder.ts'
import { greetingOf } from '../../../gateway/siblings/handed-on.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import type { ThriftObject } from '../../../wire/thrift/value-codec.ts'
import type { Method } from '../contract/method-table.ts'
import type { Caller } from './caller.ts'
import { LENGTH_BYTES, type LengthsOfReplies, writeLengths } from './reply-lengths.ts'

export interface ScanMessage {
  readonly method: Method
  readonly args: ThriftObject
  /** Without a frame's head. */
  readonly bytes: Buffer
  readonly caller: Caller
}

export class ForwardedScans {
  readonly #siblings: Siblings
  readonly #forwarder = new FrameForwarder()

  constructor(siblings: Siblings) {
    this.#siblings = siblings
  }

  /**
   * False where the call is none of a sibling's scanner. Otherwise it settles the call, or runs it by `runHere` where the
   * sibling has gone with its scanners: here too nobody knows the scanner.
   */
  takes({ method, args, bytes, caller }: ScanMessage, runHere: () => void): boolean {
    const { scannerArgument } = method
    if (scannerArgument === undefined) return false
    const address = this.#siblings.holderOf(args[scannerArgument] as number, 'thrift')
    if (address === undefined) return false
    const frame = Buffer.allocUnsafe(LENGTH_BYTES + bytes.length)
    frame.writeInt32BE(bytes.length, 0)
    bytes.copy(frame, LENGTH_BYTES)
    const { call } = caller
    const greeting = greetingOf(call)
    void this.#forwarder.ask({ address, greeting, frame, signal: call.signal }).then((answer) => {
      if (answer === undefined) {
        runHere()
        return
      }
      caller.began?.(method.service, args)
      caller.settle(behindLengths(answer, caller.lengths))
    })
    return true
  }

  close(): void {
    this.#forwarder.close()
  }
}

/** `frame`: with its length. */
function behindLengths(frame: Buffer, lengths: LengthsOfReplies): Buffer {
  if (lengths === 0) return frame.subarray(LENGTH_BYTES)
  if (lengths === 1) return frame
  const reply = Buffer.concat([Buffer.alloc(LENGTH_BYTES), frame])
  writeLengths(reply, lengths)
  return reply
}
