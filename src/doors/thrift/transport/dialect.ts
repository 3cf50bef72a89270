/**
 * Finds the dialect of Thrift that a connection speaks, by its first bytes:
 *
 *     0x80 0x01                     buffered, binary strict
 *     0x82                          buffered, compact
 *     length i32, then one of these framed
 *     length i32, a letter          buffered, binary old: the length is that of the method's name
 *     length i32, 0x00              framed, binary old: the name's length follows the frame's
 *     0x01, length i32, a mechanism SASL, behind which one of the others follows
 *     a capital letter              HTTP: a request's method
 *
 * Lengths are positive and below 2^30, so that the first byte of a length is below any letter.
 */

import { isProxyProtocol, PROXY_PROTOCOL } from '../../../wire/proxy-protocol.ts'
import type { ProtocolName } from '../../../wire/thrift/protocol.ts'

export type Dialect =
  | { readonly transport: 'buffered' | 'framed'; readonly protocol: ProtocolName }
  | { readonly transport: 'http' }
  | { readonly transport: 'sasl' }

const BINARY_FIRST = 0x80
const BINARY_SECOND = 0x01
const COMPACT_FIRST = 0x82
/** The status START, and the first three bytes of the length behind it. */
const SASL_START = 0x01000000
const MECHANISM_BYTES_MAX = 20
const TLS_HANDSHAKE = 0x16
/** Lengths from here on could be letters. */
const LENGTH_FIRST_MAX = 0x3f

/** The dialect of these first bytes; 'more' where they are too few, undefined where they are of no dialect. */
export function detectDialect(bytes: Buffer): Dialect | 'more' | undefined {
  const first = bytes[0]
  if (first === undefined) return 'more'
  if (isProxyProtocol(bytes)) return undefined
  if (first === COMPACT_FIRST) return { transport: 'buffered', protocol: 'compact' }
  if (first === BINARY_FIRST) {
    const second = bytes[1]
    if (second === undefined) return 'more'
    return second === BINARY_SECOND ? { transport: 'buffered', protocol: 'binary' } : undefined
  }
  if (first >= 0x41 && first <= 0x5a) return { transport: 'http' }
  return first <= LENGTH_FIRST_MAX ? dialectAfterLength(bytes) : undefined
}

/** Describes bytes that are of no dialect, for the log. */
export function strangeness(bytes: Buffer): string {
  if (isProxyProtocol(bytes)) return PROXY_PROTOCOL
  if (bytes[0] === TLS_HANDSHAKE && bytes[1] === 0x03) return 'TLS, which this port does not speak'
  return `no Thrift dialect begins with ${bytes.subarray(0, 8).toString('hex')}`
}

function dialectAfterLength(bytes: Buffer): Dialect | 'more' | undefined {
  if (bytes[0] === TLS_HANDSHAKE && bytes[1] === 0x03) return undefined
  const inner = bytes[4]
  if (inner === undefined) return 'more'
  if (bytes.readInt32BE(0) === SASL_START && inner > 0 && inner <= MECHANISM_BYTES_MAX)
    return { transport: 'sasl' }
  if (inner === COMPACT_FIRST) return { transport: 'framed', protocol: 'compact' }
  if (inner === BINARY_FIRST) {
    const second = bytes[5]
    if (second === undefined) return 'more'
    return second === BINARY_SECOND ? { transport: 'framed', protocol: 'binary' } : undefined
  }
  if (inner === 0) return { transport: 'framed', protocol: 'binary' }
  return isNameStart(inner) ? { transport: 'buffered', protocol: 'binary' } : undefined
}

function isNameStart(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f
}
