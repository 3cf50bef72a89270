import { isFieldSet } from '@bufbuild/protobuf'
import { isHBaseError } from '../../model/errors.ts'
import type { Comparator } from '../../model/filter.ts'
import * as pb from '../../wire/rpc/gen/comparator_pb.ts'
import { decoderFor } from '../regex/charset.ts'
import { compileRegex } from '../regex/compile-regex.ts'
import { FILTER_PACKAGE, simpleName } from './class-names.ts'
import { leafDecoders } from './decode-leaf.ts'
import { listDecoders } from './decode-list.ts'
import { buffer, readMessage } from './messages.ts'
import { deserialized, illegalArgument, refused, wrongClass } from './refusal.ts'

const LONG_BYTES = 8
/** The scale of a BigDecimal, before its unscaled value. */
const SCALE_BYTES = 4

const decoders: ReadonlyMap<string, (bytes: Uint8Array) => Comparator> = new Map<
  string,
  (bytes: Uint8Array) => Comparator
>([
  ['BinaryComparator', (bytes) => ({ kind: 'BinaryComparator', value: comparable(bytes) })],
  ['BinaryPrefixComparator', (bytes) => ({ kind: 'BinaryPrefixComparator', value: comparable(bytes) })],
  ['BinaryComponentComparator', binaryComponent],
  ['BitComparator', bit],
  ['NullComparator', nil],
  ['RegexStringComparator', regexString],
  ['SubstringComparator', substring],
  ['LongComparator', long],
  ['BigDecimalComparator', bigDecimal],
])

export function isComparator(className: string): boolean {
  return decoders.has(simpleName(className))
}

/** Throws DO_NOT_RETRY. HBase: ProtobufUtil.toComparator. */
export function comparatorFromMessage({ name, serializedComparator: bytes }: pb.Comparator): Comparator {
  const decode = decoders.get(simpleName(name))
  if (decode !== undefined) return decode(bytes)
  if (leafDecoders.has(simpleName(name)) || listDecoders.has(simpleName(name)))
    throw wrongClass(name, `${FILTER_PACKAGE}ByteArrayComparable`)
  throw refused(`java.lang.ClassNotFoundException: ${name}`)
}

/** The value of the comparators that have no other field. */
function comparable(bytes: Uint8Array): Buffer {
  return buffer(deserialized(() => readMessage(pb.BinaryComparatorSchema, bytes)).comparable!.value)
}

function binaryComponent(bytes: Uint8Array): Comparator {
  const read = () => readMessage(pb.BinaryComponentComparatorSchema, bytes)
  const { value, offset } = deserialized(read, 'com.google.protobuf')
  return { kind: 'BinaryComponentComparator', value: buffer(value), offset: offset | 0 }
}

function bit(bytes: Uint8Array): Comparator {
  const message = deserialized(() => readMessage(pb.BitComparatorSchema, bytes))
  const { AND, OR } = pb.BitComparator_BitwiseOp
  const operator = message.bitwiseOp === AND ? 'AND' : message.bitwiseOp === OR ? 'OR' : 'XOR'
  return { kind: 'BitComparator', value: buffer(message.comparable!.value), operator }
}

function nil(bytes: Uint8Array): Comparator {
  deserialized(() => readMessage(pb.NullComparatorSchema, bytes))
  return { kind: 'NullComparator' }
}

function substring(bytes: Uint8Array): Comparator {
  const { substr } = deserialized(() => readMessage(pb.SubstringComparatorSchema, bytes))
  return { kind: 'SubstringComparator', substring: substr.toLowerCase() }
}

function regexString(bytes: Uint8Array): Comparator {
  const message = deserialized(() => readMessage(pb.RegexStringComparatorSchema, bytes))
  const { pattern, patternFlags: flags } = message
  const engine = isFieldSet(message, pb.RegexStringComparatorSchema.field.engine) ? message.engine : 'JAVA'
  if (engine !== 'JAVA' && engine !== 'JONI') {
    throw illegalArgument(`No enum constant ${FILTER_PACKAGE}RegexStringComparator.EngineType.${engine}`)
  }
  try {
    compileRegex(pattern, flags, engine)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    const { javaClass = 'java.lang.IllegalArgumentException' } = error.detail ?? {}
    throw refused(`${String(javaClass)}: ${error.message}`, error)
  }
  return {
    kind: 'RegexStringComparator',
    pattern,
    flags,
    charset: usedCharset(message.charset, engine),
    engine,
  }
}

/** The charset of the name. HBase stays with UTF-8 for a malformed name, and for JONI for an unknown one. */
function usedCharset(name: string, engine: 'JAVA' | 'JONI'): string {
  try {
    decoderFor(name)
    return name
  } catch (error) {
    if (!isHBaseError(error)) throw error
    const isLegal = error.detail?.['javaClass'] !== 'java.nio.charset.IllegalCharsetNameException'
    if (engine === 'JONI' || !isLegal) return 'UTF-8'
    throw refused(error.message, error)
  }
}

function long(bytes: Uint8Array): Comparator {
  const value = comparable(bytes)
  if (value.length < LONG_BYTES) {
    throw illegalArgument(
      `offset (0) + length (${LONG_BYTES}) exceed the capacity of the array: ${value.length}`,
    )
  }
  return { kind: 'LongComparator', value: value.subarray(0, LONG_BYTES) }
}

/** Drops superfluous leading bytes of the unscaled value, as BigInteger.toByteArray does. */
function bigDecimal(bytes: Uint8Array): Comparator {
  const value = comparable(bytes)
  if (value.length <= SCALE_BYTES) {
    throw refused(
      'java.lang.NullPointerException: Cannot invoke "java.math.BigDecimal.unscaledValue()" because "val" is null',
    )
  }
  let start = SCALE_BYTES
  while (start + 1 < value.length && value[start] === signByte(value[start + 1]!)) start++
  const shortest =
    start === SCALE_BYTES ? value : Buffer.concat([value.subarray(0, SCALE_BYTES), value.subarray(start)])
  return { kind: 'BigDecimalComparator', value: shortest }
}

/** The byte that two's complement allows before `next` without changing the number. */
function signByte(next: number): number {
  return next < 0x80 ? 0 : 0xff
}
