/** ASN.1 values in DER: a tag, a length and the content. Certificates and revocation lists are trees of such values. */

export interface DerValue {
  readonly tag: number
  readonly content: Buffer
  /** The value with its tag and length. */
  readonly whole: Buffer
}

export const DER = {
  integer: 0x02,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  /** The tag of the version of a certificate. */
  explicit0: 0xa0,
} as const

/** The values in a row of bytes. Throws RangeError where they are not DER. */
export function derValues(bytes: Buffer): DerValue[] {
  const values: DerValue[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const value = derValueAt(bytes, offset)
    values.push(value)
    offset += value.whole.length
  }
  return values
}

/** The single value of all the bytes. Throws RangeError where they are not one value with that tag. */
export function derValue(bytes: Buffer, tag: number): DerValue {
  const value = derValueAt(bytes, 0)
  if (value.tag !== tag || value.whole.length !== bytes.length) throw new RangeError('not the expected value')
  return value
}

function derValueAt(bytes: Buffer, start: number): DerValue {
  const tag = bytes.readUInt8(start)
  const first = bytes.readUInt8(start + 1)
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  // DER has no values of unknown length, and a file has no 2 GB.
  if (first === 0x80 || lengthBytes > 4) throw new RangeError('a length that DER does not have')
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(start + 2, lengthBytes)
  const contentStart = start + 2 + lengthBytes
  const end = contentStart + length
  if (end > bytes.length) throw new RangeError('a value ends behind its bytes')
  return { tag, content: bytes.subarray(contentStart, end), whole: bytes.subarray(start, end) }
}

/** The time in milliseconds since 1970 of a UTCTime or GeneralizedTime in the form of RFC 5280: seconds, UTC. Throws RangeError. */
export function derTimeMs({ tag, content }: DerValue): number {
  const text = content.toString('latin1')
  const digits = tag === DER.utcTime ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits)
  if (parts === null || !isTime(tag)) throw new RangeError('no time')
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number)
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}

export function isTime(tag: number): boolean {
  return tag === DER.utcTime || tag === DER.generalizedTime
}
