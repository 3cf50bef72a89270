/** Bytes in a recording: plain text where that is unambiguous, otherwise hex. */

import { toStringBinary } from '../../../src/model/bytes.ts'
import { dropStackTrace } from './normalise.ts'

/** One line, in quotes: printable ASCII as it is, every other byte as \xHH. */
export function quoted(bytes: Buffer): string {
  return `'${toStringBinary(bytes).replaceAll("'", '\\x27')}'`
}

/** A body over as many lines as it has, its carriage returns as \r; or `hex: ...` where it is not text. */
export function printBody(body: Buffer): string {
  const text = body.toString('utf8')
  if (!Buffer.from(text, 'utf8').equals(body) || hasControls(body)) return `hex: ${body.toString('hex')}`
  return dropStackTrace(text).replaceAll('\r', '\\r').trimEnd()
}

function hasControls(body: Buffer): boolean {
  return body.some(
    (byte) => (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f,
  )
}
