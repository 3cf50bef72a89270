/** Both protocols, ours beside the `thrift` package's. */

import { BinaryReader } from '../../../src/wire/thrift/binary-reader.ts'
import { BinaryScanner } from '../../../src/wire/thrift/binary-scanner.ts'
import { BinaryWriter } from '../../../src/wire/thrift/binary-writer.ts'
import { CompactReader } from '../../../src/wire/thrift/compact-reader.ts'
import { CompactScanner } from '../../../src/wire/thrift/compact-scanner.ts'
import { CompactWriter } from '../../../src/wire/thrift/compact-writer.ts'
import type { MessageScanner } from '../../../src/wire/thrift/message-scanner.ts'
import { Output } from '../../../src/wire/thrift/output.ts'
import type { ProtocolReader, ProtocolWriter } from '../../../src/wire/thrift/protocol.ts'
import { type ProtocolClass, type ThriftProtocol, thriftPackage } from '../../harness/thrift-package.ts'

export const DEPTH_MAX = 64

export interface TestedProtocol {
  readonly name: 'binary' | 'compact'
  readonly reader: () => ProtocolReader
  readonly scanner: (bytesMax?: number) => MessageScanner
  readonly write: (writing: (writer: ProtocolWriter) => void) => Buffer
  readonly packageClass: ProtocolClass
}

export const PROTOCOLS: readonly TestedProtocol[] = [
  {
    name: 'binary',
    reader: () => new BinaryReader(DEPTH_MAX),
    scanner: (bytesMax = 2 ** 24) => new BinaryScanner(DEPTH_MAX, bytesMax),
    write: (writing) => written((output) => new BinaryWriter(output), writing),
    packageClass: thriftPackage.TBinaryProtocol,
  },
  {
    name: 'compact',
    reader: () => new CompactReader(DEPTH_MAX),
    scanner: (bytesMax = 2 ** 24) => new CompactScanner(DEPTH_MAX, bytesMax),
    write: (writing) => written((output) => new CompactWriter(output), writing),
    packageClass: thriftPackage.TCompactProtocol,
  },
]

function written(
  writerOf: (output: Output) => ProtocolWriter,
  writing: (writer: ProtocolWriter) => void,
): Buffer {
  const output = new Output()
  writing(writerOf(output))
  return output.take()
}

/** The bytes that the package writes. */
export function packageBytes(
  { packageClass }: TestedProtocol,
  writing: (protocol: ThriftProtocol) => void,
): Buffer {
  const pieces: Buffer[] = []
  const transport = new thriftPackage.TBufferedTransport(undefined, (bytes) => pieces.push(bytes))
  writing(new packageClass(transport))
  transport.flush()
  return Buffer.concat(pieces)
}

/** The value that the package reads. */
export function packageRead<T>(
  { packageClass }: TestedProtocol,
  bytes: Buffer,
  reading: (protocol: ThriftProtocol) => T,
): T {
  let result: { value: T } | undefined
  thriftPackage.TBufferedTransport.receiver((transport) => {
    result ??= { value: reading(new packageClass(transport)) }
  })(bytes)
  return result!.value
}

export function readerOf(protocol: TestedProtocol, bytes: Buffer): ProtocolReader {
  const reader = protocol.reader()
  reader.reset(bytes, 0, bytes.length)
  return reader
}
