/** The last messages of SASL GSSAPI (RFC 4752): the server offers protections, the client chooses one. */

import { PROTECTIONS, type Protection, SaslFailure } from '../../wire/sasl/sasl.ts'

const OFFER_BYTES = 4
/** The bits of authentication, integrity and privacy, in the order of PROTECTIONS. */
const BITS = [1, 2, 4] as const

/** The protected messages that one side takes. */
export interface SecurityOffer {
  readonly protections: readonly Protection[]
  /** The most bytes of a protected message. 0 where messages go as they are. */
  readonly bytesMax: number
}

/** One byte of bits, and three of the size. */
export function encodeOffer({ protections, bytesMax }: SecurityOffer): Buffer {
  const bytes = Buffer.alloc(OFFER_BYTES)
  bytes.writeUInt32BE(bytesMax, 0)
  bytes[0] = protections.reduce((bits, protection) => bits | bitOf(protection), 0)
  return bytes
}

/** Throws SaslFailure for bytes of another length. Unknown bits are passed over. */
export function decodeOffer(bytes: Buffer): SecurityOffer {
  if (bytes.length !== OFFER_BYTES)
    throw new SaslFailure(`an offer of ${bytes.length} bytes: it has ${OFFER_BYTES}`)
  return { protections: protectionsOf(bytes[0]!), bytesMax: bytes.readUIntBE(1, 3) }
}

export interface SecurityChoice {
  readonly protection: Protection
  readonly bytesMax: number
  /** The name for which the client wants to act; empty for itself. */
  readonly authorized: string
}

export function encodeChoice({ protection, bytesMax, authorized }: SecurityChoice): Buffer {
  return Buffer.concat([encodeOffer({ protections: [protection], bytesMax }), Buffer.from(authorized)])
}

/** Throws SaslFailure for a malformed choice, and for one that was not offered. */
export function decodeChoice(bytes: Buffer, offered: readonly Protection[]): SecurityChoice {
  if (bytes.length < OFFER_BYTES)
    throw new SaslFailure(`a choice of ${bytes.length} bytes: it has ${OFFER_BYTES} or more`)
  const { protections, bytesMax } = decodeOffer(bytes.subarray(0, OFFER_BYTES))
  const [protection] = protections
  if (protections.length !== 1 || protection === undefined || bitOf(protection) !== bytes[0])
    throw new SaslFailure(`a choice of ${bytes[0]} names not one protection`)
  if (!offered.includes(protection))
    throw new SaslFailure(`the client chooses ${protection}, but this server takes ${offered.join(' or ')}`)
  return { protection, bytesMax, authorized: bytes.toString('utf8', OFFER_BYTES) }
}

/** The first liked protection that is offered. Throws SaslFailure where there is none. */
export function chosen(liked: readonly Protection[], offered: readonly Protection[]): Protection {
  const found = liked.find((protection) => offered.includes(protection))
  if (found !== undefined) return found
  throw new SaslFailure(
    `the server takes ${offered.join(' or ') || 'no protection'}, but this client takes ${liked.join(' or ')}: look at hbase.rpc.protection on both sides`,
  )
}

function bitOf(protection: Protection): number {
  return BITS[PROTECTIONS.indexOf(protection)]!
}

function protectionsOf(bits: number): Protection[] {
  return PROTECTIONS.filter((protection) => (bits & bitOf(protection)) !== 0)
}
