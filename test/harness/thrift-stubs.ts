/**
 * Client stubs for the `thrift` package, made from the IDL when they are needed: classes with the same names, fields
 * and methods as those that the Apache compiler writes for Node (`thrift --gen js:node`).
 */

import { WireType } from '../../src/wire/thrift/protocol.ts'
import type {
  FieldSchema,
  MethodSchema,
  Schema,
  StructSchema,
  ThriftType,
} from '../../src/wire/thrift/schema.ts'
import {
  type ProtocolClass,
  type ThriftProtocol,
  type ThriftTransport,
  thriftPackage,
} from './thrift-package.ts'
import { type Codec, listCodec, mapCodec, SCALARS, setCodec } from './thrift-value-codecs.ts'

/** An object of a generated class: the struct's fields, null where they are not set, `read` and `write`. */
export interface StubObject {
  [field: string]: unknown
  read(input: ThriftProtocol): void
  write(output: ThriftProtocol): void
}

export type StubClass = new (fields?: Readonly<Record<string, unknown>> | null) => StubObject

/** A client of a service: a method for each of the IDL, which returns a promise. */
export type StubClient = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

export interface ThriftStubs {
  /** Structs and exceptions. */
  readonly types: Readonly<Record<string, StubClass>>
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The argument of `thrift.createClient`, and the class of its result. */
  readonly Client: new (
    transport: ThriftTransport,
    protocol: ProtocolClass,
  ) => StubClient
  /** The struct in which a method's arguments, or its result, travel. */
  readonly argumentsOf: (method: string) => StubClass
  readonly resultOf: (method: string) => StubClass
}

const MESSAGE_CALL = 1
const MESSAGE_EXCEPTION = 3

export function thriftStubs(schema: Schema, serviceName: string): ThriftStubs {
  const service = schema.services.get(serviceName)!
  const stubs = new StubMaker(schema)
  const args = new Map<string, StubClass>()
  const results = new Map<string, StubClass>()
  for (const method of service.methods.values()) {
    args.set(method.name, stubs.classOf(method.args, false))
    results.set(method.name, stubs.classOf(resultStruct(method), false))
  }
  return {
    types: Object.fromEntries([...schema.structs].map(([name, struct]) => [name, stubs.named(struct)])),
    enums: Object.fromEntries(
      [...schema.enums].map(([name, { members }]) => [name, Object.fromEntries(members)]),
    ),
    Client: clientClass([...service.methods.values()], args, results),
    argumentsOf: (method) => args.get(method)!,
    resultOf: (method) => results.get(method)!,
  }
}

function resultStruct({ name, result, throws }: MethodSchema): StructSchema {
  const success: FieldSchema[] =
    result === undefined
      ? []
      : [{ id: 0, name: 'success', requiredness: 'default', type: result, default: undefined }]
  return { name: `${name}_result`, kind: 'struct', fields: [...success, ...throws] }
}

class StubMaker {
  readonly #classes = new Map<string, StubClass>()

  constructor(schema: Schema) {
    for (const struct of schema.structs.values()) this.named(struct)
  }

  named(struct: StructSchema): StubClass {
    let made = this.#classes.get(struct.name)
    if (made === undefined) {
      made = this.classOf(struct, struct.kind === 'exception')
      this.#classes.set(struct.name, made)
    }
    return made
  }

  classOf(struct: StructSchema, isException: boolean): StubClass {
    // Looked up late, as structs may name themselves.
    let codecs: ReadonlyMap<number, { field: FieldSchema; codec: Codec }> | undefined
    const codecsOf = (): NonNullable<typeof codecs> => {
      codecs ??= new Map(struct.fields.map((field) => [field.id, { field, codec: this.#codec(field.type) }]))
      return codecs
    }
    const Base: new (name: string) => Record<string, unknown> = isException ? ExceptionBase : PlainBase
    const Stub = class extends Base {
      constructor(fields?: Readonly<Record<string, unknown>> | null) {
        super(struct.name)
        for (const { name, default: fallback } of struct.fields) {
          const value = fields?.[name]
          this[name] = value ?? (typeof fallback === 'bigint' ? Number(fallback) : fallback) ?? null
        }
      }

      read(input: ThriftProtocol): void {
        input.readStructBegin()
        for (;;) {
          const { ftype, fid } = input.readFieldBegin()
          if (ftype === WireType.STOP) break
          const known = codecsOf().get(fid)
          if (known !== undefined && known.codec.wireType === ftype) {
            this[known.field.name] = known.codec.read(input)
          } else input.skip(ftype)
          input.readFieldEnd()
        }
        input.readStructEnd()
      }

      write(output: ThriftProtocol): void {
        output.writeStructBegin(struct.name)
        for (const { field, codec } of codecsOf().values()) {
          const value = this[field.name]
          if (value === null || value === undefined) continue
          output.writeFieldBegin(field.name, codec.wireType, field.id)
          codec.write(output, value)
          output.writeFieldEnd()
        }
        output.writeFieldStop()
        output.writeStructEnd()
      }
    }
    return Stub
  }

  #codec(type: ThriftType): Codec {
    if (type.kind === 'struct') return this.#structCodec(type.struct)
    if (type.kind === 'list') return listCodec(this.#codec(type.element))
    if (type.kind === 'set') return setCodec(this.#codec(type.element))
    if (type.kind === 'map') return mapCodec(this.#codec(type.key), this.#codec(type.value))
    return SCALARS[type.kind === 'enum' ? 'i32' : type.kind]
  }

  #structCodec(struct: StructSchema): Codec {
    return {
      wireType: WireType.STRUCT,
      read: (input) => {
        const value = new (this.named(struct))()
        value.read(input)
        return value
      },
      // A plain object is enough where the compiler's classes ask for an instance.
      write: (output, value) => {
        const Stub = this.named(struct)
        const stub = value instanceof Stub ? value : new Stub(value as Readonly<Record<string, unknown>>)
        stub.write(output)
      },
    }
  }
}

class PlainBase {
  [field: string]: unknown
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  toString(): string {
    return this.#name
  }
}

class ExceptionBase extends thriftPackage.Thrift.TException {
  [field: string]: unknown

  constructor(name: string) {
    super(name)
    this.name = name
  }
}

type Receive = (input: ThriftProtocol, messageType: number, sequenceId: number) => void
type Settle = (error: unknown, result?: unknown) => void

function clientClass(
  methods: readonly MethodSchema[],
  args: ReadonlyMap<string, StubClass>,
  results: ReadonlyMap<string, StubClass>,
): ThriftStubs['Client'] {
  class Client {
    [method: string]: unknown
    readonly output: ThriftTransport
    readonly pClass: ProtocolClass
    _seqid = 0
    readonly _reqs: Record<number, Settle> = {}

    constructor(output: ThriftTransport, pClass: ProtocolClass) {
      this.output = output
      this.pClass = pClass
      for (const method of methods) {
        const Arguments = args.get(method.name)!
        this[method.name] = (...given: unknown[]): Promise<unknown> => this.#call(method, Arguments, given)
        this[`recv_${method.name}`] = this.#receiver(method, results.get(method.name)!)
      }
    }

    seqid(): number {
      return this._seqid
    }

    new_seqid(): number {
      return ++this._seqid
    }

    #call(method: MethodSchema, Arguments: StubClass, given: readonly unknown[]): Promise<unknown> {
      const sequenceId = this.new_seqid()
      const fields = Object.fromEntries(method.args.fields.map(({ name }, i) => [name, given[i]]))
      return new Promise((resolve, reject) => {
        this._reqs[sequenceId] = (error, result) => {
          if (error === null || error === undefined) resolve(result)
          else reject(error)
        }
        const output = new this.pClass(this.output)
        output.writeMessageBegin(method.name, MESSAGE_CALL, sequenceId)
        new Arguments(fields).write(output)
        output.writeMessageEnd()
        this.output.flush()
        if (method.oneway) {
          delete this._reqs[sequenceId]
          resolve(undefined)
        }
      })
    }

    #receiver(method: MethodSchema, Result: StubClass): Receive {
      return (input, messageType, sequenceId) => {
        const settle = this._reqs[sequenceId] ?? ((): void => {})
        delete this._reqs[sequenceId]
        if (messageType === MESSAGE_EXCEPTION) {
          const failure = new thriftPackage.Thrift.TApplicationException()
          failure.read(input)
          input.readMessageEnd()
          settle(failure)
          return
        }
        const result = new Result()
        result.read(input)
        input.readMessageEnd()
        const thrown = method.throws.find(({ name }) => result[name] !== null)
        if (thrown !== undefined) settle(result[thrown.name])
        else if (method.result === undefined || result['success'] !== null) settle(null, result['success'])
        else settle(new Error(`${method.name} failed: unknown result`))
      }
    }
  }
  return Client as unknown as ThriftStubs['Client']
}
