import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { thriftPackage } from '../thrift-package.ts'
import { type StubClient, type StubObject, thriftStubs } from '../thrift-stubs.ts'

const stubs = thriftStubs(loadSchema('thrift1'), 'Hbase')

/** The npm package `thrift`, unchanged, over framed transport and compact protocol. */
export class Thrift1Client {
  readonly client: StubClient
  readonly #end: () => void

  constructor(port: number) {
    const options = { transport: thriftPackage.TFramedTransport, protocol: thriftPackage.TCompactProtocol }
    const connection = thriftPackage.createConnection('127.0.0.1', port, options)
    connection.on('error', () => connection.destroy())
    this.client = thriftPackage.createClient(stubs, connection) as StubClient
    this.#end = () => connection.end()
  }

  close(): void {
    this.#end()
  }
}

/** A struct of Thrift 1's IDL. */
export function struct(name: string, fields: Readonly<Record<string, unknown>>): StubObject {
  return new stubs.types[name]!(fields)
}
