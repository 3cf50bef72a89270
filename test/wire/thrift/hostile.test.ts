import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { ThriftProtocolError, WireType } from '../../../src/wire/thrift/protocol.ts'
import { type MethodCodec, serviceCodec } from '../../../src/wire/thrift/service-codec.ts'
import { ValueCodecs } from '../../../src/wire/thrift/value-codec.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { arbitraryStruct } from './arbitrary-values.ts'
import { DEPTH_MAX, PROTOCOLS, readerOf, type TestedProtocol } from './protocols.ts'

const methods: MethodCodec[] = (['thrift1', 'thrift2'] as const).flatMap((idl) =>
  [...loadSchema(idl).services.values()].flatMap((service) => [...serviceCodec(service).values()]),
)

function readOrRefuse(protocol: TestedProtocol, method: MethodCodec, bytes: Buffer): void {
  try {
    method.readArguments(readerOf(protocol, bytes))
  } catch (error) {
    expect(error).toBeInstanceOf(ThriftProtocolError)
  }
}

function kindOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof ThriftProtocolError) return error.kind
    throw error
  }
  return 'none'
}

/** An unknown field of so many structs in one another. */
function nested(protocol: TestedProtocol, depth: number): Buffer {
  return protocol.write((writer) => {
    writer.writeStructBegin()
    for (let i = 0; i < depth; i++) {
      writer.writeFieldBegin(WireType.STRUCT, 99)
      writer.writeStructBegin()
    }
    for (let i = 0; i <= depth; i++) writer.writeStructEnd()
  })
}

describe.each(PROTOCOLS)('hostile bytes, $name', (protocol) => {
  test('any bytes are arguments or a protocol error', () => {
    fc.assert(
      fc.property(fc.constantFrom(...methods), fc.uint8Array({ maxLength: 200 }), (method, bytes) =>
        readOrRefuse(protocol, method, Buffer.from(bytes)),
      ),
      { numRuns: testRuns(2000) },
    )
  })

  test('so are calls of which bytes were changed or cut off', () => {
    const codecs = new ValueCodecs()
    for (const method of methods) {
      const { args } = method.schema
      fc.assert(
        fc.property(
          arbitraryStruct(args),
          fc.nat(),
          fc.integer({ min: 0, max: 255 }),
          fc.nat(),
          (value, at, byte, cut) => {
            const bytes = protocol.write((writer) => codecs.struct(args).write(writer, value))
            readOrRefuse(protocol, method, bytes.subarray(0, cut % bytes.length))
            const changed = Buffer.from(bytes)
            changed[at % changed.length] = byte
            readOrRefuse(protocol, method, changed)
          },
        ),
        { numRuns: 10 },
      )
    }
  })

  test('sizes beyond the bytes that are there, and negative ones, are refused before anything is made', () => {
    const get = methods.find(({ schema }) => schema.name === 'getRows')!
    for (const [size, kind] of [
      [0x7fffffff, 'UNDERFLOW'],
      [-1, 'NEGATIVE_SIZE'],
    ] as const) {
      const text = protocol.write((writer) => {
        writer.writeStructBegin()
        writer.writeFieldBegin(WireType.STRING, 1)
        writer.writeLength(size)
      })
      expect(kindOf(() => get.readArguments(readerOf(protocol, text)))).toBe(kind)
    }
    const list = protocol.write((writer) => {
      writer.writeStructBegin()
      writer.writeFieldBegin(WireType.LIST, 2)
      writer.writeListBegin(WireType.STRING, 0x7fffffff)
      writer.writeLength(1)
    })
    expect(kindOf(() => get.readArguments(readerOf(protocol, list)))).toBe('UNDERFLOW')
    const map = protocol.write((writer) => {
      writer.writeStructBegin()
      writer.writeFieldBegin(WireType.MAP, 3)
      writer.writeMapBegin(WireType.STRING, WireType.STRING, 0x7fffffff)
    })
    expect(kindOf(() => get.readArguments(readerOf(protocol, map)))).toBe('UNDERFLOW')
  })

  test('depth of what nobody asked for is limited', () => {
    const get = methods.find(({ schema }) => schema.name === 'getRow')!
    expect(kindOf(() => get.readArguments(readerOf(protocol, nested(protocol, DEPTH_MAX - 2))))).toBe('none')
    expect(kindOf(() => get.readArguments(readerOf(protocol, nested(protocol, DEPTH_MAX))))).toBe(
      'DEPTH_LIMIT',
    )
  })

  test('what is required and missing is named as Java names it', () => {
    const get = methods.find(
      ({ schema }) => schema.args.name === 'get_args' && schema.args.fields.length === 2,
    )!
    const bytes = protocol.write((writer) => {
      writer.writeStructBegin()
      writer.writeFieldBegin(WireType.STRING, 1)
      writer.writeBinary(Buffer.from('t1'))
      writer.writeStructEnd()
    })
    expect(() => get.readArguments(readerOf(protocol, bytes))).toThrow(
      "Required field 'tget' was not present! Struct: get_args(table:74 31, tget:null)",
    )
  })
})
