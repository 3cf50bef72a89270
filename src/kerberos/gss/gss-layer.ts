import type { LargeMessages, Protection, SaslLayer } from '../../wire/sasl/sasl.ts'
import type { SecurityContext } from './security-context.ts'

/** The most bytes of a protected message that this side takes: SASL's number has three bytes. */
export const OWN_BYTES_MAX = 0xffffff

/** A message of so many bytes takes a millisecond or two; another thread begins a tenth of a millisecond later. */
const LARGE_BYTES_MIN = 128 * 1024

/** Protects messages by a finished context of Kerberos. */
export class GssLayer implements SaslLayer {
  readonly protection: SaslLayer['protection']
  readonly messageBytesMax: number
  readonly large: LargeMessages
  readonly #context: SecurityContext
  readonly #isEncrypted: boolean

  /** `bytesMax`: the most bytes of a protected message that the other side takes. */
  constructor(context: SecurityContext, protection: SaslLayer['protection'], bytesMax: number) {
    this.protection = protection
    this.#context = context
    this.#isEncrypted = protection === 'privacy'
    this.large = {
      bytesMin: LARGE_BYTES_MIN,
      wrap: (message) => context.wrapLarge(message, this.#isEncrypted),
      unwrap: (token) => context.unwrapLarge(token, this.#isEncrypted),
    }
    this.messageBytesMax = context.messageBytesMax(bytesMax, this.#isEncrypted)
  }

  wrap(message: Buffer): Buffer {
    return this.#context.wrap(message, this.#isEncrypted)
  }

  unwrap(token: Buffer): Buffer {
    return this.#context.unwrap(token, this.#isEncrypted)
  }
}

/** The layer of a login's choice; undefined where messages go as they are. */
export function layerOf(
  context: SecurityContext,
  protection: Protection,
  bytesMax: number,
): GssLayer | undefined {
  return protection === 'authentication' ? undefined : new GssLayer(context, protection, bytesMax)
}
