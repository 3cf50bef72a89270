/** SASL (RFC 4422): the shape of a login that takes several messages, and of the protection of the messages behind it. */

import { HBaseError } from '../../model/errors.ts'

/**
 * How the messages behind a login are protected. HBase's names (hbase.rpc.protection) for the qualities of protection auth, auth-int and
 * auth-conf: as they are, with a checksum, encrypted.
 */
export const PROTECTIONS = ['authentication', 'integrity', 'privacy'] as const
export type Protection = (typeof PROTECTIONS)[number]

/** Protects the messages of a connection whose login has agreed on integrity or privacy. Both directions keep the order of messages. */
export interface SaslLayer {
  readonly protection: Exclude<Protection, 'authentication'>
  /** Most bytes of a message to `wrap`, so that its protected form fits in the buffer that the other side has stated. Undefined: any. */
  readonly messageBytesMax?: number | undefined
  /** The protected form of a message. The result has memory of its own. */
  wrap(message: Buffer): Buffer
  /** The message of a protected form, whose bytes may be overwritten. Throws SaslFailure for one that was changed, replayed, left out or put in another order. */
  unwrap(token: Buffer): Buffer
  /** Undefined where no message keeps the event loop for long. */
  readonly large?: LargeMessages | undefined
}

/**
 * The same protection of large messages, while the event loop runs. Use it through a LayerLine: a layer does one thing at a time, and the bytes must stay as
 * they are until the promise has settled.
 */
export interface LargeMessages {
  /** Messages and protected forms of at least so many bytes are large. */
  readonly bytesMin: number
  /** Rejects as SaslLayer.wrap throws. */
  wrap(message: Buffer): Promise<Buffer>
  /** Rejects as SaslLayer.unwrap throws. */
  unwrap(token: Buffer): Promise<Buffer>
}

export interface SaslStep {
  /** The message for the other side; undefined: it expects none. */
  readonly token: Buffer | undefined
  /** True where this side has logged in, or has let the other side in. */
  readonly isDone: boolean
}

/** One side of a login. Steps run one after the other: a caller waits for the last before it begins the next. */
export interface SaslExchange {
  /** Takes the other side's message, which is empty for the first step of a client. Rejects with SaslFailure, after which the exchange is over. */
  step(token: Buffer): Promise<SaslStep>
  /** Once the login is done: undefined where messages go as they are. */
  readonly layer: SaslLayer | undefined
  /** Gives its memory back, that of the layer too. The owner of the connection calls it once, when the connection ends. */
  close(): void
}

/** The server's side of a login. */
export interface SaslServer extends SaslExchange {
  /** Once the login is done: the name that the client has proved, such as the principal `alice@REALM`. */
  readonly authenticated: string
  /** Once the login is done: the name for which the client wants to act; empty where it states none. */
  readonly authorized: string
}

/** A login that failed. The message says why, for the log, and contains no secret. */
export class SaslFailure extends HBaseError {
  /** `javaClass`: the exception's class in the answer to the client; default: AccessDeniedException. */
  constructor(reason: string, cause?: unknown, javaClass?: string) {
    super('ACCESS_DENIED', reason, { cause, javaClass })
  }
}
