import { BinaryReader } from '../../../wire/thrift/binary-reader.ts'
import { BinaryWriter } from '../../../wire/thrift/binary-writer.ts'
import { CompactReader } from '../../../wire/thrift/compact-reader.ts'
import { CompactWriter } from '../../../wire/thrift/compact-writer.ts'
import type { Output } from '../../../wire/thrift/output.ts'
import type { ProtocolName, ProtocolReader, ProtocolWriter } from '../../../wire/thrift/protocol.ts'
import type { CallLimits } from '../decoding/call-task.ts'

export interface Protocol {
  readonly reader: ProtocolReader
  readonly writer: ProtocolWriter
}

/** One reader and one writer of each protocol; the writers share the output. */
export function protocolsOf(
  { depthMax, elementsMax }: Pick<CallLimits, 'depthMax' | 'elementsMax'>,
  output: Output,
): Readonly<Record<ProtocolName, Protocol>> {
  return {
    binary: { reader: new BinaryReader(depthMax, elementsMax), writer: new BinaryWriter(output) },
    compact: { reader: new CompactReader(depthMax, elementsMax), writer: new CompactWriter(output) },
  }
}
