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
  /** Number of lengths before a reply. */
  readonly lengths: LengthsOfReplies
  readonly session: Session
  /** The call for the store. */
  readonly call: Call
  /** Takes memory for the objects made of the call's message, until the call ends. Throws OVERLOADED. */
  takeMemory(bytes: number): void
  /** Ends the call, with a reply if one is due. May run before `call` returns. */
  settle(reply: Buffer | undefined): void
  /** Ends the call without a reply, as its message breaks the protocol. Never runs before `call` returns. */
  fail(error: unknown): void
  /** Reports the method that is run. This method and the next two are absent where no access log is written. */
  began?(service: string, args: Readonly<Record<string, unknown>>): void
  /** Reports the error that the call ends with. */
  failed?(error: unknown): void
  /** Reports that the call is answered with a TApplicationException. */
  refused?(): void
}
