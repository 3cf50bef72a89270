/** Lists state how many elements follow: readers and scanners refuse too many before they make or pass the first. */

import { describe, expect, test } from 'vitest'
import { BinaryReader } from '../../../src/wire/thrift/binary-reader.ts'
import { BinaryScanner } from '../../../src/wire/thrift/binary-scanner.ts'
import { CompactReader } from '../../../src/wire/thrift/compact-reader.ts'
import { CompactScanner } from '../../../src/wire/thrift/compact-scanner.ts'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { MessageType, ThriftProtocolError, WireType } from '../../../src/wire/thrift/protocol.ts'
import { serviceCodec } from '../../../src/wire/thrift/service-codec.ts'
import { DEPTH_MAX, PROTOCOLS, type TestedProtocol } from './protocols.ts'

const ELEMENTS_MAX = 100
const { readArguments } = serviceCodec(loadSchema('thrift2').services.get('THBaseService')!).get(
  'putMultiple',
)!

/** Arguments of putMultiple with empty structs in its list of puts, or in lists of no known field. */
function lists(protocol: TestedProtocol, field: number, sizes: readonly number[]): Buffer {
  return protocol.write((writer) => {
    writer.writeStructBegin()
    writer.writeFieldBegin(WireType.STRING, 1)
    writer.writeBinary(Buffer.from('t'))
    for (const size of sizes) {
      writer.writeFieldBegin(WireType.LIST, field)
      writer.writeListBegin(WireType.STRUCT, size)
      for (let i = 0; i < size; i++) {
        writer.writeStructBegin()
        writer.writeStructEnd()
      }
    }
    writer.writeStructEnd()
  })
}

function message(protocol: TestedProtocol, size: number): Buffer {
  const head = protocol.write((writer) => writer.writeMessageBegin('putMultiple', MessageType.CALL, 1))
  return Buffer.concat([head, lists(protocol, 2, [size])])
}

/** The error's kind and message. */
function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof ThriftProtocolError) return `${error.kind}: ${error.message}`
    throw error
  }
  return 'none'
}

describe.each(PROTOCOLS)('$name', (protocol) => {
  const Reader = protocol.name === 'binary' ? BinaryReader : CompactReader
  const Scanner = protocol.name === 'binary' ? BinaryScanner : CompactScanner
  const reader = new Reader(DEPTH_MAX, ELEMENTS_MAX)
  const read = (bytes: Buffer): string => {
    reader.reset(bytes, 0, bytes.length)
    return refusal(() => readArguments(reader))
  }

  test('a list of too many elements', () => {
    // A put needs a row: the first struct is read, and refused.
    expect(read(lists(protocol, 2, [100]))).toContain("Required field 'row'")
    expect(read(lists(protocol, 2, [101]))).toBe('SIZE_LIMIT: a message of more than 100 list elements')
  })

  test('many lists, also of a field that nobody asked for', () => {
    expect(read(lists(protocol, 99, [50, 50]))).toContain("Required field 'tputs'")
    expect(read(lists(protocol, 99, [50, 50, 1]))).toContain('SIZE_LIMIT')
    expect(read(lists(protocol, 99, [50]))).toContain("Required field 'tputs'")
  })

  test('a list that comes in pieces is refused by its head', () => {
    const scanner = new Scanner(DEPTH_MAX, 2 ** 24, ELEMENTS_MAX)
    const whole = message(protocol, 100)
    expect(scanner.scan(whole, 0, whole.length)).toBe(whole.length)
    const large = message(protocol, 101)
    const head = large.length - 102
    expect(refusal(() => scanner.scan(large, 0, head))).toContain('SIZE_LIMIT')
  })
})
