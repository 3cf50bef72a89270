/** Calls of scanners and procedures that a sibling has: the frame goes there as it is, and its answer comes back. */

import { FrameForwarder } from '../../../gateway/siblings/frame-forwarder.ts'
import { greetingOf } from '../../../gateway/siblings/handed-on.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import type { Call } from '../../../store/call.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { MessageReader } from '../../../wire/rpc/message-reader.ts'
import type { RequestFrame } from '../../../wire/rpc/request-frame.ts'
import type { ConnectionContext } from './connection.ts'
import { openToSiblings, type SiblingServer } from './sibling-server.ts'

const LENGTH_BYTES = 4
/** Before the connection header: of a client that does not log in. */
const PREAMBLE = Buffer.from([...Buffer.from('HBas'), 0, 0x50])

/** By method, the field of its parameter that names what one process has. */
const ID_FIELDS: Readonly<Record<string, number | undefined>> = {
  Scan: Field.ScanRequest.scannerId,
  getProcedureResult: 1,
}

/** Finds the number of a scanner of this server in its id; undefined for an id of another server, or of another run of this one. */
interface ScannerIds {
  counterOf(id: bigint): number | undefined
}

/** The part that connections ask. */
export type Forwarding = Pick<ForwardedCalls, 'addressOf' | 'ask'>

export class ForwardedCalls {
  readonly #siblings: Siblings
  readonly #scanners: ScannerIds
  readonly #forwarder = new FrameForwarder()
  readonly #server: SiblingServer

  private constructor(siblings: Siblings, scanners: ScannerIds, server: SiblingServer) {
    this.#siblings = siblings
    this.#scanners = scanners
    this.#server = server
  }

  /** Also serves, by `context`, the calls that siblings hand on. */
  static async open(
    siblings: Siblings,
    scanners: ScannerIds,
    context: ConnectionContext,
  ): Promise<ForwardedCalls> {
    return new ForwardedCalls(siblings, scanners, await openToSiblings(siblings, context))
  }

  /**
   * Where the frame must go; undefined: this process answers it. `buffer` holds the frame without its length. Throws
   * MalformedMessage.
   */
  addressOf({ method, parameter }: RequestFrame, buffer: Buffer): string | undefined {
    const field = ID_FIELDS[method]
    if (field === undefined || parameter === undefined) return undefined
    const reader = new MessageReader(buffer, parameter.start, parameter.end)
    while (reader.next()) {
      if (reader.field !== field) {
        reader.skip()
        continue
      }
      const id = reader.uint64()
      const number = method === 'Scan' ? this.#scanners.counterOf(id) : Number(id)
      return number === undefined ? undefined : this.#siblings.holderOf(number, 'rpc')
    }
    return undefined
  }

  /**
   * Resolves to the answer behind its length; undefined where the sibling has gone with all that it had, which would
   * be unknown here. `header`: the connection header of the client. Its user counts for nothing beside that of the call.
   */
  ask(address: string, header: Buffer, buffer: Buffer, call: Call): Promise<Buffer | undefined> {
    const greeting = Buffer.concat([greetingOf(call), PREAMBLE, behindLength(header)])
    return this.#forwarder.ask({ address, greeting, frame: behindLength(buffer), signal: call.signal })
  }

  /** For a port that has no scanners: only calls that name procedures go to siblings. */
  get ofProcedures(): Forwarding {
    return {
      addressOf: (frame, buffer) => (frame.method === 'Scan' ? undefined : this.addressOf(frame, buffer)),
      ask: (...asked) => this.ask(...asked),
    }
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
