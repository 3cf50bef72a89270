/** The way of answers to a client: its socket, or the protection of a login in front of it. */

/** Where nothing is unsent, a write of so many bytes is encrypted before it returns: its memory is free then. */
export const AT_ONCE_BYTES_MAX: number = 1024 * 1024

/** A socket is one. */
export interface ClientOutput {
  readonly writable: boolean
  /** Bytes that the client has not been sent yet. */
  readonly writableLength: number
  /** True where bytes are encrypted, so that many answers in one write cost less. As a TLSSocket says of itself. */
  readonly encrypted?: boolean
  /** As AT_ONCE_BYTES_MAX, which it is where it is absent. */
  readonly atOnceBytesMax?: number
  /** `sent` is called once the memory of `bytes` is free, also where the connection ends before. */
  write(bytes: Uint8Array, sent?: () => void): boolean
}
