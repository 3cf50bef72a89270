import { HBaseError } from '../../model/errors.ts'
import { decodeJavaUtf8 } from '../../wire/text/java-utf8.ts'
import { charsetName } from './charset-names.ts'
import {
  decodeAscii,
  decodeUtf16Big,
  decodeUtf16Little,
  decodeUtf32,
  decodeUtf32Big,
  decodeUtf32Little,
  tableDecoder,
  utf16Decoder,
} from './utf-decoders.ts'

/** The text of bytes[start, end) in one charset, as Java decodes it: malformed bytes become U+FFFD. */
export type Decoder = (bytes: Buffer, start: number, end: number) => string

const REPLACEMENT = 0xfffd
/** A legal name of a charset, whether Java knows the charset or not. */
const LEGAL_NAME = /^[A-Za-z0-9][A-Za-z0-9+.:_-]*$/

const decodeLatin1: Decoder = (bytes, start, end) => bytes.toString('latin1', start, end)

const decoders: Map<string, Decoder> = new Map([
  ['UTF-8', decodeJavaUtf8],
  ['US-ASCII', decodeAscii],
  ['ISO-8859-1', decodeLatin1],
  ['UTF-16', utf16Decoder('big')],
  ['UTF-16BE', decodeUtf16Big],
  ['UTF-16LE', decodeUtf16Little],
  ['x-UTF-16LE-BOM', utf16Decoder('little')],
  ['UTF-32', decodeUtf32],
  ['UTF-32BE', decodeUtf32Big],
  ['UTF-32LE', decodeUtf32Little],
])

/**
 * The decoder of a charset by its name or alias in Java. Throws ILLEGAL_ARGUMENT for an unknown charset: Tidegate knows
 * Unicode's, ISO's, Windows' and the usual ones of East Asia, but not IBM's of mainframes.
 */
export function decoderFor(name: string): Decoder {
  if (!LEGAL_NAME.test(name)) throw unknownCharset('java.nio.charset.IllegalCharsetNameException', name)
  const charset = charsetName(name)
  if (charset === undefined) throw unknownCharset('java.nio.charset.UnsupportedCharsetException', name)
  let decoder = decoders.get(charset)
  if (decoder === undefined) {
    decoder = isSingleByte(charset) ? singleByteDecoder(charset) : multiByteDecoder(charset)
    decoders.set(charset, decoder)
  }
  return decoder
}

function unknownCharset(javaClass: string, name: string): HBaseError {
  return new HBaseError('ILLEGAL_ARGUMENT', `${javaClass}: ${name}`, { detail: { javaClass, charset: name } })
}

function isSingleByte(charset: string): boolean {
  return /^(?:ISO-8859|windows-125|KOI8|IBM866)/.test(charset)
}

/** The upper half of windows-1252 as far as it is not Latin 1: Node decodes that charset as Latin 1. */
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'

/** Bytes that the web's tables, which TextDecoder of newer Nodes follows, read otherwise than Java. */
const OF_JAVA: ReadonlyMap<string, string> = new Map([
  ['KOI8-U ae', '╝'],
  ['KOI8-U be', '╬'],
  ['windows-1255 ca', '\ufffd'],
])

function singleByteDecoder(charset: string): Decoder {
  return tableDecoder(
    Uint16Array.from({ length: 256 }, (_, byte) => characterOf(charset, byte).charCodeAt(0)),
  )
}

function characterOf(charset: string, byte: number): string {
  const isControl = byte < 0xa0
  if (byte < 0x80 || (isControl && charset.startsWith('ISO'))) return String.fromCharCode(byte)
  if (charset === 'windows-1252') return isControl ? WINDOWS_1252[byte - 0x80]! : String.fromCharCode(byte)
  const ofJava = OF_JAVA.get(`${charset} ${byte.toString(16)}`)
  if (ofJava !== undefined) return ofJava
  // TextDecoder has no other charset with these letters.
  const decoded = new TextDecoder(charset === 'ISO-8859-9' ? 'windows-1254' : charset).decode(
    Uint8Array.of(byte),
  )
  // TextDecoder makes control or private characters of bytes that are no characters to Java.
  const codePoint = decoded.codePointAt(0) ?? REPLACEMENT
  return String.fromCodePoint(isLeftOver(codePoint, charset) ? REPLACEMENT : codePoint)
}

/** In Greek, the ordinal indicator is such a character too. */
function isLeftOver(codePoint: number, charset: string): boolean {
  const isControl = codePoint >= 0x80 && codePoint < 0xa0
  return (
    isControl ||
    (codePoint >= 0xe000 && codePoint < 0xf900) ||
    (charset === 'windows-1253' && codePoint === 0xaa)
  )
}

function multiByteDecoder(charset: string): Decoder {
  const decoder = new TextDecoder(charset)
  return (bytes, start, end) => decoder.decode(bytes.subarray(start, end))
}
