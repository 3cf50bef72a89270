import { HBaseError } from '../../model/errors.ts'

/** The text of bytes[start, end) in one charset; what is malformed becomes U+FFFD. */
export type Decoder = (bytes: Buffer, start: number, end: number) => string

/** The decoder of a charset by its name or alias in Java. Throws ILLEGAL_ARGUMENT for a name that Java does not know. */
export function decoderFor(charsetName: string): Decoder {
  switch (charsetName.toUpperCase()) {
    case '':
    case 'UTF-8':
    case 'UTF8':
      return (bytes, start, end) => bytes.toString('utf8', start, end)
    case 'ISO-8859-1':
    case 'ISO8859_1':
    case 'LATIN1':
      return (bytes, start, end) => bytes.toString('latin1', start, end)
    default:
      throw new HBaseError('ILLEGAL_ARGUMENT', `java.nio.charset.UnsupportedCharsetException: ${charsetName}`)
  }
}
