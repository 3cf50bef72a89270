import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { ValueCodecs } from '../../../src/wire/thrift/value-codec.ts'
import { thriftStubs } from '../../harness/thrift-stubs.ts'
import { arbitraryStruct, plainFields, stubFields } from './arbitrary-values.ts'
import { PROTOCOLS, packageBytes, packageRead, readerOf } from './protocols.ts'

const SERVICES = [
  { idl: 'thrift1', service: 'Hbase' },
  { idl: 'thrift2', service: 'THBaseService' },
] as const

function withoutUndefined(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}

describe.each(SERVICES)('every struct of $idl', ({ idl, service }) => {
  const schema = loadSchema(idl)
  const stubs = thriftStubs(schema, service)
  const codecs = new ValueCodecs()
  const structs = [...schema.structs.values()]

  test.each(PROTOCOLS)('written by the thrift package is read as it was, $name', (protocol) => {
    for (const struct of structs) {
      const codec = codecs.struct(struct)
      fc.assert(
        fc.property(arbitraryStruct(struct), (value) => {
          const stub = new stubs.types[struct.name]!(stubFields(struct, value))
          const bytes = packageBytes(protocol, (output) => stub.write(output))
          const reader = readerOf(protocol, bytes)
          expect(withoutUndefined(codec.read(reader) as Record<string, unknown>)).toMatchObject(value)
          expect(reader.position).toBe(bytes.length)
        }),
        { numRuns: 12 },
      )
    }
  })

  test.each(PROTOCOLS)('is read by the thrift package as it was written, $name', (protocol) => {
    for (const struct of structs) {
      const codec = codecs.struct(struct)
      fc.assert(
        fc.property(arbitraryStruct(struct), (value) => {
          const bytes = protocol.write((writer) => codec.write(writer, value))
          const stub = new stubs.types[struct.name]!()
          packageRead(protocol, bytes, (input) => stub.read(input))
          expect(plainFields(struct, stub)).toMatchObject(value)
          const again = readerOf(protocol, bytes)
          expect(withoutUndefined(codec.read(again) as Record<string, unknown>)).toMatchObject(value)
        }),
        { numRuns: 12 },
      )
    }
  })
})
