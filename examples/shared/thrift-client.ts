/** The npm package `thrift`, with classes made from HBase's IDL, for what REST cannot say. */

import { loadSchema } from '../../src/wire/thrift/idl-files.ts'
import { thriftPackage } from '../../test/harness/thrift-package.ts'
import { type StubClient, thriftStubs } from '../../test/harness/thrift-stubs.ts'
import type { ExampleServer } from './example-server.ts'

const SERVICES = { thrift1: 'Hbase', thrift2: 'THBaseService' } as const

export interface ThriftClient {
  /** A method for each of the IDL. */
  readonly methods: StubClient
  close(): void
}

/** Buffered transport and binary protocol, as HBase's Thrift servers speak by default. */
export function thriftClient(version: keyof typeof SERVICES, { host, ports }: ExampleServer): ThriftClient {
  const port = version === 'thrift2' ? (ports.thrift2 ?? ports.thrift) : ports.thrift
  const connection = thriftPackage.createConnection(host, port, {
    transport: thriftPackage.TBufferedTransport,
    protocol: thriftPackage.TBinaryProtocol,
  })
  connection.on('error', () => connection.destroy())
  const stubs = thriftStubs(loadSchema(version), SERVICES[version])
  return {
    methods: thriftPackage.createClient(stubs, connection) as StubClient,
    close: () => connection.end(),
  }
}
