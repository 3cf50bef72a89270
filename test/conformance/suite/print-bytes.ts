/** How bytes look in a recording: text as it is where that is unambiguous, otherwise hex. */

import { toStringBinary } from '../../../src/model/bytes.ts'

/** One line, in quotes: printable ASCII as it is, every other byte as \xHH. */
export function quoted(bytes: Buffer): string {
  return `'${toStringBinary(bytes).replaceAll("'", '\\x27')}'`
}

/** A body over as many lines as it has, or `hex: ...` where it is not text. */
export function printBody(body: Buffer): string {
  if (body.length === 0) return ''
  const text = body.toString('utf8')
  const isText = Buffer.from(text, 'utf8').equals(body) && !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)
  return isText ? text : `hex: ${body.toString('hex')}`
}
