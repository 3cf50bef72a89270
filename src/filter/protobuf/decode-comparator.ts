import { isHBaseError } from '../../model/errors.ts'
import type { Comparator } from '../../model/filter.ts'
import * as pb from '../../wire/rpc/gen/comparator_pb.ts'
import { decoderFor } from '../regex/charset.ts'
import { compileJavaRegex } from '../regex/java-regex.ts'
import { FILTER_PACKAGE } from './encode-comparator.ts'
import { buffer, malformed, readMessage } from './messages.ts'

/** HBase: ProtobufUtil.toComparator. Throws DO_NOT_RETRY. */
export function comparatorOf(message: pb.Comparator): Comparator {
  const { name, serializedComparator: bytes } = message
  const kind = name.startsWith(FILTER_PACKAGE) ? name.slice(FILTER_PACKAGE.length) : ''
  switch (kind) {
    case 'BinaryComparator':
    case 'BinaryPrefixComparator':
      return { kind, value: comparable(bytes) }
    case 'BinaryComponentComparator': {
      const { value, offset } = readMessage(pb.BinaryComponentComparatorSchema, bytes)
      return { kind, value: buffer(value), offset: offset | 0 }
    }
    case 'BitComparator':
      return bitComparator(bytes)
    case 'NullComparator':
      readMessage(pb.NullComparatorSchema, bytes)
      return { kind }
    case 'RegexStringComparator':
      return regexComparator(bytes)
    case 'SubstringComparator':
      return { kind, substring: readMessage(pb.SubstringComparatorSchema, bytes).substr.toLowerCase() }
    case 'LongComparator': {
      const value = comparable(bytes)
      if (value.length < 8) throw malformed(`a LongComparator of ${value.length} bytes`)
      return { kind, value: value.subarray(0, 8) }
    }
    case 'BigDecimalComparator':
      return { kind, value: bigDecimal(comparable(bytes)) }
    default:
      throw malformed(`java.lang.ClassNotFoundException: ${name}`)
  }
}

/** The value of the comparators that have just that. */
function comparable(bytes: Uint8Array): Buffer {
  return buffer(readMessage(pb.BinaryComparatorSchema, bytes).comparable!.value)
}

function bitComparator(bytes: Uint8Array): Comparator {
  const message = readMessage(pb.BitComparatorSchema, bytes)
  const { AND, OR } = pb.BitComparator_BitwiseOp
  const operator = message.bitwiseOp === AND ? 'AND' : message.bitwiseOp === OR ? 'OR' : 'XOR'
  return { kind: 'BitComparator', value: buffer(message.comparable!.value), operator }
}

function regexComparator(bytes: Uint8Array): Comparator {
  const message = readMessage(pb.RegexStringComparatorSchema, bytes)
  const { pattern, patternFlags: flags } = message
  const engine = message.engine || 'JAVA'
  if (engine !== 'JAVA' && engine !== 'JONI')
    throw malformed(`there is no regular expression engine ${engine}`)
  const charset = message.charset || 'UTF-8'
  try {
    compileJavaRegex(pattern, flags)
    decoderFor(charset)
  } catch (cause) {
    if (!isHBaseError(cause)) throw cause
    throw malformed(cause.message, cause)
  }
  return { kind: 'RegexStringComparator', pattern, flags, charset, engine }
}

/** With no more bytes of the unscaled number than it needs, as BigInteger.toByteArray writes it. */
function bigDecimal(bytes: Buffer): Buffer {
  if (bytes.length < 5) throw malformed(`a BigDecimalComparator of ${bytes.length} bytes`)
  let start = 4
  while (start + 1 < bytes.length && bytes[start] === signByte(bytes[start + 1]!)) start++
  return start === 4 ? bytes : Buffer.concat([bytes.subarray(0, 4), bytes.subarray(start)])
}

/** What two's complement may have in front of a byte without a change of the number. */
function signByte(next: number): number {
  return next < 0x80 ? 0 : 0xff
}
