/** Hands calls of scanners on to the sibling processes that have these. The message goes there unchanged, and its reply back. */

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
  /** The message, without a frame's length. */
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
   * False where the call uses no scanner of a sibling. Otherwise settles the call by the sibling's reply. Where the sibling has gone with its
   * scanners, runs the call by `runHere`, which finds no such scanner.
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
    // The first byte tells the protocols apart.
    const protocol = `${method.service} ${bytes[0]}`
    void this.#forwarder.ask({ address, greeting, protocol, frame, signal: call.signal }).then((answer) => {
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

/** A sibling's reply with the lengths that the client expects. `frame`: the reply behind one length. */
function behindLengths(frame: Buffer, lengths: LengthsOfReplies): Buffer {
  if (lengths === 0) return frame.subarray(LENGTH_BYTES)
  if (lengths === 1) return frame
  const reply = Buffer.concat([Buffer.alloc(LENGTH_BYTES), frame])
  writeLengths(reply, lengths)
  return reply
}
