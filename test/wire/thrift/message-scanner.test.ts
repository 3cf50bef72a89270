import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { MessageType, ThriftProtocolError, WireType } from '../../../src/wire/thrift/protocol.ts'
import { ValueCodecs } from '../../../src/wire/thrift/value-codec.ts'
import { arbitraryStruct } from './arbitrary-values.ts'
import { PROTOCOLS, readerOf, type TestedProtocol } from './protocols.ts'

const schema = loadSchema('thrift2')
const codecs = new ValueCodecs()
const methods = [...schema.services.get('THBaseService')!.methods.values()]

const arbitraryCall = fc
  .constantFrom(...methods)
  .chain(({ name, args }) => fc.tuple(fc.constant(name), fc.constant(args), arbitraryStruct(args)))

function callBytes(
  protocol: TestedProtocol,
  [name, args, value]: typeof arbitraryCall extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  return protocol.write((writer) => {
    writer.writeMessageBegin(name, MessageType.CALL, 7)
    codecs.struct(args).write(writer, value)
  })
}

describe.each(PROTOCOLS)('the end of a message, $name', (protocol) => {
  test('is found in one piece, and after every other prefix not yet', () => {
    fc.assert(
      fc.property(arbitraryCall, (call) => {
        const bytes = callBytes(protocol, call)
        const more = Buffer.concat([bytes, Buffer.from([0x80, 1, 2, 3])])
        expect(protocol.scanner().scan(more, 0, more.length)).toBe(bytes.length)
        for (let end = 0; end < bytes.length; end++) expect(protocol.scanner().scan(bytes, 0, end)).toBe(-1)
      }),
      { numRuns: 15 },
    )
  })

  test('is found byte by byte, and in any other pieces, wherever the bytes are moved', () => {
    fc.assert(
      fc.property(
        arbitraryCall,
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        (call, steps) => {
          const bytes = callBytes(protocol, call)
          for (const sizes of [[1], steps]) {
            const scanner = protocol.scanner()
            let end = 0
            for (let i = 0; end < bytes.length; i++) {
              end = Math.min(bytes.length, end + sizes[i % sizes.length]!)
              const moved = Buffer.concat([Buffer.alloc(i % 5, 0xee), bytes])
              const found = scanner.scan(moved, i % 5, (i % 5) + end)
              expect(found).toBe(end < bytes.length ? -1 : bytes.length)
            }
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  test('scanning goes on with the next message', () => {
    const call = protocol.write((writer) => {
      writer.writeMessageBegin('hello', MessageType.CALL, 1)
      writer.writeStructBegin()
      writer.writeStructEnd()
    })
    const two = Buffer.concat([call, call])
    const scanner = protocol.scanner()
    expect(scanner.scan(two, 0, two.length)).toBe(call.length)
    expect(scanner.scan(two, call.length, two.length)).toBe(call.length)
  })

  test('any bytes are a message, part of one, or refused, and whole where it is so for the reader', () => {
    fc.assert(
      fc.property(
        arbitraryCall,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        (call, changes) => {
          const bytes = callBytes(protocol, call)
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte
          const scanned = outcome(() => protocol.scanner(bytes.length).scan(bytes, 0, bytes.length))
          const read = outcome(() => {
            const reader = readerOf(protocol, bytes)
            reader.readMessageBegin()
            reader.skip(WireType.STRUCT)
            return reader.position
          })
          // Only the scanner refuses a name that is too long.
          if (scanned === 'SIZE_LIMIT' || scanned === -1) expect(typeof read).toBe('string')
          else if (typeof read === 'number' || typeof scanned === 'number') expect(scanned).toBe(read)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('what could not be within the limit is refused before it comes', () => {
    const long = protocol.write((writer) => {
      writer.writeMessageBegin('put', MessageType.CALL, 1)
      writer.writeStructBegin()
      writer.writeFieldBegin(WireType.STRING, 1)
      writer.writeLength(0x7fffffff)
    })
    expect(() => protocol.scanner(1 << 20).scan(long, 0, long.length)).toThrow(/more than 1048576 bytes/)
    for (const element of [WireType.I8, WireType.DOUBLE, WireType.STRING, WireType.STRUCT, WireType.MAP]) {
      const many = protocol.write((writer) => {
        writer.writeMessageBegin('put', MessageType.CALL, 1)
        writer.writeStructBegin()
        writer.writeFieldBegin(WireType.LIST, 1)
        writer.writeListBegin(element, 0x7fffffff)
      })
      expect(() => protocol.scanner(1 << 20).scan(many, 0, many.length)).toThrow(ThriftProtocolError)
    }
    const negative = protocol.write((writer) => {
      writer.writeMessageBegin('put', MessageType.CALL, 1)
      writer.writeStructBegin()
      writer.writeFieldBegin(WireType.STRING, 1)
      writer.writeLength(-1)
    })
    expect(outcome(() => protocol.scanner().scan(negative, 0, negative.length))).toBe('NEGATIVE_SIZE')
  })

  test('elements of no type are refused', () => {
    for (const [key, value] of [
      [WireType.STOP, WireType.STRING],
      [WireType.STRING, WireType.STOP],
    ] as const) {
      const map = protocol.write((writer) => {
        writer.writeMessageBegin('put', MessageType.CALL, 1)
        writer.writeStructBegin()
        writer.writeFieldBegin(WireType.MAP, 1)
        writer.writeMapBegin(key, value, 1)
      })
      const whole = Buffer.concat([map, Buffer.alloc(20)])
      expect(outcome(() => protocol.scanner().scan(whole, 0, whole.length))).toBe('INVALID_DATA')
    }
  })

  test('depth is limited', () => {
    const deep = protocol.write((writer) => {
      writer.writeMessageBegin('put', MessageType.CALL, 1)
      for (let i = 0; i < 70; i++) {
        writer.writeStructBegin()
        writer.writeFieldBegin(WireType.STRUCT, 1)
      }
    })
    expect(outcome(() => protocol.scanner().scan(deep, 0, deep.length))).toBe('DEPTH_LIMIT')
  })
})

function outcome(work: () => number): number | string {
  try {
    return work()
  } catch (error) {
    if (error instanceof ThriftProtocolError) return error.kind
    throw error
  }
}
