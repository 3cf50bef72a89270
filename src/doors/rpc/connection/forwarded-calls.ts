/** Hands calls on to sibling processes: those of scanners and procedures that a sibling has. The frame goes there unchanged, and its answer back. */

import { FrameForwarder } from '../../../gateway/siblings/frame-forwarder.ts'
import { greetingOf } from '../../../gateway/siblings/handed-on.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import type { Call } from '../../../store/call.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { MessageReader } from '../../../wire/rpc/message-reader.ts'
import type { RequestFrame } from '../../../wire/rpc/request-frame.ts'
import type { OpeningContext } from './opening.ts'
import { openToSiblings, type SiblingServer } from './sibling-server.ts'

const LENGTH_BYTES = 4
/** The preamble of a client that does not log in, sent before the connection header. */
const PREAMBLE = Buffer.from([...Buffer.from('HBas'), 0, 0x50])

/** For each method, the field of its parameter that has the id of a scanner or procedure. */
const ID_FIELDS: Readonly<Record<string, number | undefined>> = {
  Scan: Field.ScanRequest.scannerId,
  getProcedureResult: 1,
}

/** Services with state in memory, which the one that answers for the master has. */
const OF_MASTER: ReadonlySet<string | undefined> = new Set(['MasterService', 'HbckService'])

/** Finds the number of a scanner of this server in its id; undefined for an id of another server, or of another run of this one. */
interface ScannerIds {
  counterOf(id: bigint): number | undefined
}

/** The part of ForwardedCalls that connections use. */
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

  /** Opens the forwarding in both directions: calls that siblings hand on are served by `context`. */
  static async open(
    siblings: Siblings,
    scanners: ScannerIds,
    context: OpeningContext,
  ): Promise<ForwardedCalls> {
    return new ForwardedCalls(siblings, scanners, await openToSiblings(siblings, context))
  }

  /**
   * The address of the sibling that must answer the frame; undefined where this process answers it. `buffer` holds the frame without its
   * length. `service`: of the connection. Throws MalformedMessage.
   */
  addressOf(
    { method, parameter }: RequestFrame,
    buffer: Buffer,
    service: string | undefined,
  ): string | undefined {
    if (OF_MASTER.has(service) && this.#siblings.master !== undefined) return this.#siblings.master
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
   * Resolves to the sibling's answer, which stands behind its length; undefined where the sibling has gone with its scanners and procedures.
   * `header`: the connection header of the client. The user of `call` counts, not that of the header.
   */
  ask(address: string, header: Buffer, buffer: Buffer, call: Call): Promise<Buffer | undefined> {
    const greeting = Buffer.concat([greetingOf(call), PREAMBLE, behindLength(header)])
    const frame = behindLength(buffer)
    return this.#forwarder.ask({ address, greeting, protocol: 'rpc', frame, signal: call.signal })
  }

  /** The forwarding of a port without scanners: only calls of procedures go to siblings. */
  get ofProcedures(): Forwarding {
    return {
      addressOf: (frame, buffer, service) =>
        frame.method === 'Scan' ? undefined : this.addressOf(frame, buffer, service),
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
