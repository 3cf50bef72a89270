import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'
import { encodeFrame, FrameCutter, part, readLast } from '../../../src/wire/zookeeper/frames.ts'
import { JuteReader } from '../../../src/wire/zookeeper/jute-reader.ts'
import type { JuteRecord } from '../../../src/wire/zookeeper/jute-type.ts'
import * as clientRecords from '../../../src/wire/zookeeper/records.ts'
import * as serverRecords from '../../../src/wire/zookeeper/server-records.ts'

type AnyRecord = JuteRecord<Record<string, unknown>>
const records = { ...clientRecords, ...serverRecords }
const all = (Object.values(records) as unknown as AnyRecord[]).map((type) => [type.name, type] as const)

/** Values of a type by its name in the IDL. */
function valuesOf(name: string): fc.Arbitrary<unknown> {
  const vector = /^vector<(.*)>$/.exec(name)
  if (vector !== null) return fc.array(valuesOf(vector[1]!), { maxLength: 5 })
  const simple: Record<string, fc.Arbitrary<unknown>> = {
    boolean: fc.boolean(),
    int: fc.integer(),
    long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    ustring: fc.string({ unit: 'grapheme' }),
    buffer: fc.option(fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))),
  }
  const record = all.find(([other]) => other === name)
  return simple[name] ?? recordsOf(record![1])
}

function recordsOf(type: AnyRecord): fc.Arbitrary<unknown> {
  const fields = Object.entries(type.fields).map(([key, field]) => [key, valuesOf(field.name)])
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>)
}

function encode(type: AnyRecord, value: unknown): Buffer {
  return encodeFrame(part(type, value as Record<string, unknown>)).subarray(4)
}

describe('the records of ZooKeeper', () => {
  test('are those of the IDL', () => {
    const idl = readFileSync(new URL('idl/zookeeper.jute', packageRoot()), 'utf8')
    const classes = [...idl.replaceAll(/\/\/.*/g, '').matchAll(/class (\w+) \{([^}]*)\}/g)]
    const described = classes.map(([, name, body]) => [
      name,
      [...body!.matchAll(/(\S+) (\w+);/g)].map(([, type, field]) => `${type} ${field}`),
    ])
    const built = all.map(([name, { fields }]) => [
      name,
      Object.entries(fields).map(([field, type]) => `${type.name} ${field}`),
    ])
    expect(Object.fromEntries(built)).toEqual(Object.fromEntries(described))
  })

  test.each(all)('%s is read as it was written', (_, type) => {
    fc.assert(
      fc.property(recordsOf(type), (value) => {
        expect(readLast(new JuteReader(encode(type, value)), type)).toEqual(value)
      }),
    )
  })

  test.each(all)('%s cut short is refused, or lacks what old servers leave out', (_, type) => {
    fc.assert(
      fc.property(recordsOf(type), fc.nat(), (value, cut) => {
        const bytes = encode(type, value)
        const short = bytes.subarray(0, cut % bytes.length)
        try {
          expect(readLast(new JuteReader(short), type)).toEqual({ ...(value as object), readOnly: false })
        } catch (error) {
          expect(error).toMatchObject({ code: 'IO' })
        }
      }),
    )
  })

  test.each(all)('%s is read from any bytes, or refused', (_, type) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        try {
          readLast(new JuteReader(Buffer.from(bytes)), type)
        } catch (error) {
          expect(error).toMatchObject({ code: 'IO' })
        }
      }),
    )
  })

  test('have the bytes that ZooKeeper 3.8 sent', () => {
    const answer = Buffer.from(
      '0000000000002710010000b75fc800020000001024fbc5b6cf2e6b0f4e14c1a7c930cc1e00',
      'hex',
    )
    const response = readLast(new JuteReader(answer), records.CONNECT_RESPONSE)
    expect(response).toEqual({
      protocolVersion: 0,
      timeOut: 10_000,
      sessionId: 0x010000b75fc80002n,
      passwd: Buffer.from('24fbc5b6cf2e6b0f4e14c1a7c930cc1e', 'hex'),
      readOnly: false,
    })
    expect(encodeFrame(part(records.CONNECT_RESPONSE, response)).subarray(4)).toEqual(answer)
  })
})

describe('the frames of ZooKeeper', () => {
  test('come out as they went in, however they are cut on the way', () => {
    const bodies = fc.array(
      fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
      { maxLength: 10 },
    )
    fc.assert(
      fc.property(bodies, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (wanted, sizes) => {
        const wire = Buffer.concat(
          wanted.map((body) => {
            const length = Buffer.alloc(4)
            length.writeInt32BE(body.length)
            return Buffer.concat([length, body])
          }),
        )
        const cutter = new FrameCutter()
        const found: Buffer[] = []
        for (let at = 0; at < wire.length; ) {
          const size = sizes.next().value
          found.push(...cutter.push(wire.subarray(at, at + size)))
          at += size
        }
        expect(found).toEqual(wanted)
      }),
    )
  })

  test.each([-1, 101, 0x7fffffff])('of %d bytes are refused by a cutter for 100', (length) => {
    const prefix = Buffer.alloc(4)
    prefix.writeInt32BE(length)
    expect(() => new FrameCutter(100).push(prefix)).toThrow(`cannot have ${length} bytes`)
  })
})
