/** Messages of a login by Thrift's TSaslClientTransport: a status byte, an int32 length and that many bytes. */

/** Thrift: TSaslTransport.NegotiationStatus. */
export const SaslStatus = { start: 1, ok: 2, bad: 3, error: 4, complete: 5 } as const
/** A status and a length. */
export const SASL_HEADER_BYTES = 5

/** The name of a status as Thrift's Java library prints it; undefined where it is none. */
export function saslStatusName(status: number): string | undefined {
  return Object.entries(SaslStatus)
    .find(([, value]) => value === status)?.[0]
    .toUpperCase()
}

/** The message for the client. */
export function saslMessage(status: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(SASL_HEADER_BYTES)
  header[0] = status
  header.writeInt32BE(payload.length, 1)
  return Buffer.concat([header, payload])
}
