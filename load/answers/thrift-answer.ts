/** Rows and cells of Thrift 1's answers, without their frames. */

import { BinaryReader } from '../../src/wire/thrift/binary-reader.ts'
import { MessageType, WireType } from '../../src/wire/thrift/protocol.ts'
import type { Answered } from '../../test/harness/answer-tally.ts'

const DEPTH_MAX = 8
/** Fields of TRowResult with its cells: a map by column, or a list. */
const COLUMNS = 2
const SORTED_COLUMNS = 3

/** A list of TRowResult; no rows for a method that answers nothing. Throws for an exception, and for bytes behind the message. */
export function readThriftAnswer(message: Buffer): Answered {
  const reader = new BinaryReader(DEPTH_MAX)
  reader.reset(message, 0, message.length)
  reader.readMessageBegin()
  reader.readStructBegin()
  const type = reader.readFieldBegin()
  const isException = type !== WireType.STOP && reader.fieldId !== 0
  if (reader.messageType !== MessageType.REPLY || isException)
    throw new Error(`an exception for an answer: ${message.toString('latin1')}`)
  const answered = type === WireType.LIST ? readRows(reader) : { rows: 0, cells: 0 }
  if (type !== WireType.STOP) reader.readFieldBegin()
  if (reader.position !== message.length)
    throw new Error(`an answer of ${reader.position} bytes in a message of ${message.length}`)
  return answered
}

function readRows(reader: BinaryReader): Answered {
  const rows = reader.readListBegin()
  let cells = 0
  for (let row = 0; row < rows; row++) cells += readCells(reader)
  return { rows, cells }
}

function readCells(reader: BinaryReader): number {
  let cells = 0
  reader.readStructBegin()
  for (let type = reader.readFieldBegin(); type !== WireType.STOP; type = reader.readFieldBegin()) {
    const { fieldId, position, depth } = reader
    if (fieldId === COLUMNS) cells += reader.readMapBegin()
    else if (fieldId === SORTED_COLUMNS) cells += reader.readListBegin()
    reader.rewind(position, depth)
    reader.skip(type)
  }
  reader.readStructEnd()
  return cells
}
