import type { Call } from '../../../store/call.ts'
import type { ProtocolName } from '../../../wire/thrift/protocol.ts'
import type { LengthsOfReplies } from './reply-lengths.ts'

/** A connection's state between calls. */
export interface Session {
  /** The service of the last call. */
  lastService: string | undefined
}

/** The sender of a call. */
export interface Caller {
  readonly protocol: ProtocolName
  readonly lengths: LengthsOfReplies
  readonly session: Session
  /** Its calls carry this to the store. */
  readonly call: Call
  /** Takes memory for what is made of the call's message, until the call ends. Throws OVERLOADED. */
  takeMemory(bytes: number): void
  /** Ends the call, with a reply if one is due. May run before `call` returns. */
  settle(reply: Buffer | undefined): void
  /** Ends the call without a reply, for its message breaks the protocol. Never runs before `call` returns. */
  fail(error: unknown): void
  /** Hears which method is run; undefined: nobody wants to know, nor do the others. */
  began?(service: string, args: Readonly<Record<string, unknown>>): void
  failed?(error: unknown): void
  refused?(): void
}
