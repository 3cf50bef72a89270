/** Scan calls of scanners that a sibling has: the frame goes there as it is, and its answer comes back. */

import { FrameForwarder } from '../../../gateway/siblings/frame-forwarder.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { MessageReader } from '../../../wire/rpc/message-reader.ts'
import type { RequestFrame } from '../../../wire/rpc/request-frame.ts'
import type { ConnectionContext } from '../connection.ts'
import { openToSiblings, type SiblingServer } from '../sibling-server.ts'
import type { OpenScanners } from './open-scanners.ts'

const LENGTH_BYTES = 4
/** Before the connection header: of a client that does not log in. */
const PREAMBLE = Buffer.from([...Buffer.from('HBas'), 0, 0x50])

export class ForwardedScans {
  readonly #siblings: Siblings
  readonly #scanners: OpenScanners
  readonly #forwarder = new FrameForwarder()
  readonly #server: SiblingServer

  private constructor(siblings: Siblings, scanners: OpenScanners, server: SiblingServer) {
    this.#siblings = siblings
    this.#scanners = scanners
    this.#server = server
  }

  /** Also serves, by `context`, the calls that siblings hand on. */
  static async open(
    siblings: Siblings,
    scanners: OpenScanners,
    context: ConnectionContext,
  ): Promise<ForwardedScans> {
    return new ForwardedScans(siblings, scanners, await openToSiblings(siblings, context))
  }

  /**
   * Where the frame must go; undefined: this process answers it. `buffer` holds the frame without its length. Throws
   * MalformedMessage.
   */
  addressOf({ method, parameter }: RequestFrame, buffer: Buffer): string | undefined {
    if (method !== 'Scan' || parameter === undefined) return undefined
    const reader = new MessageReader(buffer, parameter.start, parameter.end)
    while (reader.next()) {
      if (reader.field === Field.ScanRequest.scannerId) {
        const counter = this.#scanners.counterOf(reader.uint64())
        return counter === undefined ? undefined : this.#siblings.holderOf(counter, 'rpc')
      }
      reader.skip()
    }
    return undefined
  }

  /**
   * Resolves to the answer behind its length; undefined where the sibling has gone with its scanners, as they would be
   * unknown here. `header`: the connection header of the client.
   */
  ask(
    address: string,
    header: Buffer,
    buffer: Buffer,
    signal: AbortSignal | undefined,
  ): Promise<Buffer | undefined> {
    const greeting = Buffer.concat([PREAMBLE, behindLength(header)])
    return this.#forwarder.ask({ address, greeting, frame: behindLength(buffer), signal })
  }

  async close(): Promise<void> {
    this.#forwarder.close()
    await this.#server.close()
  }
}

function behindLength(bytes: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(LENGTH_BYTES + bytes.length)
  framed.writeInt32BE(bytes.length, 0)
  bytes.copy(framed, LENGTH_BYTES)
  return framed
}
