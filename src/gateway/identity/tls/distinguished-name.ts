/** Distinguished names in certificates and revocation lists, as text for people and as a key for comparisons. */

import { DER, type DerValue, derValue, derValues } from './der-values.ts'

/** OpenSSL's short names of attributes, by the bytes of the identifier in hex. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  '550403': 'CN',
  '550406': 'C',
  '550407': 'L',
  '550408': 'ST',
  '55040a': 'O',
  '55040b': 'OU',
  '2a864886f70d010901': 'emailAddress',
  '0992268993f22c640119': 'DC',
}

export interface DistinguishedName {
  /** The text for people: `C=DE, O=Example, CN=Example CA`. */
  readonly text: string
  /** Equal for names that OpenSSL takes as equal: kinds of strings, case and runs of spaces do not matter. */
  readonly key: string
}

/** Reads a name in DER. Throws RangeError. */
export function distinguishedName(bytes: Buffer): DistinguishedName {
  const sets = derValues(derValue(bytes, DER.sequence).content)
  const attributes = sets.flatMap(({ content }) => derValues(content)).map(attribute)
  return {
    text: attributes.map(({ type, value }) => `${SHORT_NAMES[type] ?? type}=${value}`).join(', '),
    key: JSON.stringify(attributes.map(({ type, value }) => [type, sameText(value)])),
  }
}

function attribute({ content }: DerValue): { readonly type: string; readonly value: string } {
  const [type, value] = derValues(content)
  if (type?.tag !== DER.objectIdentifier || value === undefined) throw new RangeError('no part of a name')
  return { type: type.content.toString('hex'), value: textOf(value) }
}

function textOf({ tag, content }: DerValue): string {
  if (tag !== DER.bmpString) return content.toString('utf8')
  return Buffer.from(content).swap16().toString('utf16le')
}

function sameText(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** The subject of a certificate (DER). Throws RangeError. */
export function subjectOf(certificate: Buffer): DistinguishedName {
  const [signed] = derValues(derValue(certificate, DER.sequence).content)
  const fields = derValues(signed!.content)
  // Before the subject: the version, which may be missing, serial number, algorithm, issuer and validity.
  const subject = fields[fields[0]?.tag === DER.explicit0 ? 5 : 4]
  if (subject === undefined) throw new RangeError('no subject')
  return distinguishedName(subject.whole)
}
