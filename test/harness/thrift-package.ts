/** The npm package `thrift`, which has no types of its own, as far as the tests use it. */

import { createRequire } from 'node:module'

export interface ThriftProtocol {
  writeMessageBegin(name: string, type: number, sequenceId: number): void
  writeMessageEnd(): void
  writeStructBegin(name: string): void
  writeStructEnd(): void
  writeFieldBegin(name: string, type: number, id: number): void
  writeFieldEnd(): void
  writeFieldStop(): void
  writeMapBegin(keyType: number, valueType: number, size: number): void
  writeMapEnd(): void
  writeListBegin(elementType: number, size: number): void
  writeListEnd(): void
  writeSetBegin(elementType: number, size: number): void
  writeSetEnd(): void
  writeBool(value: unknown): void
  writeByte(value: unknown): void
  writeI16(value: unknown): void
  writeI32(value: unknown): void
  writeI64(value: unknown): void
  writeDouble(value: unknown): void
  writeString(value: unknown): void
  writeBinary(value: unknown): void
  readMessageBegin(): { fname: string; mtype: number; rseqid: number }
  readMessageEnd(): void
  readStructBegin(): void
  readStructEnd(): void
  readFieldBegin(): { ftype: number; fid: number }
  readFieldEnd(): void
  readMapBegin(): { size: number }
  readMapEnd(): void
  readListBegin(): { size: number }
  readListEnd(): void
  readSetBegin(): { size: number }
  readSetEnd(): void
  readBool(): boolean
  readByte(): number
  readI16(): number
  readI32(): number
  readI64(): Int64
  readDouble(): number
  readString(): string
  readBinary(): Buffer
  skip(type: number): void
  reset?(): void
}

/** node-int64. */
export interface Int64 {
  readonly buffer: Buffer
  readonly offset: number
}

export interface ThriftTransport {
  flush(): void
}

export type ProtocolClass = new (transport: ThriftTransport) => ThriftProtocol

export interface ThriftTransportClass {
  new (buffer: undefined, onFlush: (bytes: Buffer, sequenceId: number) => void): ThriftTransport
  receiver(callback: (transport: ThriftTransport) => void): (chunk: Buffer) => void
}

export interface ThriftConnection {
  on(event: 'error' | 'close', listener: (error: Error) => void): this
  end(): void
  destroy(): void
}

interface ConnectionOptions {
  readonly transport: ThriftTransportClass
  readonly protocol: ProtocolClass
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface ThriftPackage {
  readonly TBinaryProtocol: ProtocolClass
  readonly TCompactProtocol: ProtocolClass
  readonly TBufferedTransport: ThriftTransportClass
  readonly TFramedTransport: ThriftTransportClass
  createConnection(host: string, port: number, options: ConnectionOptions): ThriftConnection
  createHttpConnection(host: string, port: number, options: ConnectionOptions): ThriftConnection
  createClient(service: { readonly Client: unknown }, connection: ThriftConnection): unknown
  createHttpClient(service: { readonly Client: unknown }, connection: ThriftConnection): unknown
  readonly Int64: new (buffer: Buffer) => Int64
  readonly Thrift: {
    readonly TException: new (message: string) => Error
    readonly TApplicationException: new () => Error & { type: number; read(protocol: ThriftProtocol): void }
  }
}

const require = createRequire(import.meta.url)

export const thriftPackage: ThriftPackage = require('thrift') as ThriftPackage
export function int64(value: bigint): Int64 {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt.asIntN(64, value))
  return new thriftPackage.Int64(bytes)
}

/** A default of the IDL is a number. */
export function bigintOf(value: Int64 | number): bigint {
  return typeof value === 'number' ? BigInt(value) : value.buffer.readBigInt64BE(value.offset)
}
