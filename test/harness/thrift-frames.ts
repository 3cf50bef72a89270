/** Thrift 1 calls as framed, strict binary messages, encoded before a clock starts. */

const T_BOOL = 2
const T_I32 = 8
const T_STRING = 11
const T_STRUCT = 12
const T_LIST = 15
const CALL = 0x80010001

class FrameWriter {
  readonly #parts: Buffer[] = []

  byte(value: number): this {
    this.#parts.push(Buffer.of(value))
    return this
  }
  i32(value: number): this {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value | 0)
    this.#parts.push(bytes)
    return this
  }
  string(text: string): this {
    const bytes = Buffer.from(text)
    this.i32(bytes.length)
    this.#parts.push(bytes)
    return this
  }
  field(type: number, id: number): this {
    return this.byte(type)
      .byte(id >> 8)
      .byte(id & 0xff)
  }
  stringField(id: number, text: string): this {
    return this.field(T_STRING, id).string(text)
  }
  list(id: number, elementType: number, length: number): this {
    return this.field(T_LIST, id).byte(elementType).i32(length)
  }
  stop(): this {
    return this.byte(0)
  }
  frame(): Buffer {
    const body = Buffer.concat(this.#parts)
    const frame = Buffer.alloc(4 + body.length)
    frame.writeInt32BE(body.length)
    body.copy(frame, 4)
    return frame
  }
}

function call(method: string): FrameWriter {
  return new FrameWriter().i32(CALL).string(method).i32(1)
}

/** Thrift 1 turns the block cache off unless it is told otherwise. */
export function createTable(table: string, family: string): Buffer {
  return call('createTable')
    .stringField(1, table)
    .list(2, T_STRUCT, 1)
    .stringField(1, `${family}:`)
    .field(T_BOOL, 8)
    .byte(1)
    .stop()
    .stop()
    .frame()
}

export function mutateRows(table: string, rows: readonly string[], column: string, value: string): Buffer {
  const writer = call('mutateRows').stringField(1, table).list(2, T_STRUCT, rows.length)
  for (const row of rows) {
    writer.stringField(1, row).list(2, T_STRUCT, 1)
    writer.field(T_BOOL, 1).byte(0).stringField(2, column).stringField(3, value).field(T_BOOL, 4).byte(1)
    writer.stop().stop()
  }
  return writer.stop().frame()
}

export function mutateRow(table: string, row: string, column: string, value: string): Buffer {
  const writer = call('mutateRow').stringField(1, table).stringField(2, row).list(3, T_STRUCT, 1)
  writer.field(T_BOOL, 1).byte(0).stringField(2, column).stringField(3, value).field(T_BOOL, 4).byte(1)
  return writer.stop().stop().frame()
}

/** Of Thrift 2. */
export function put2(table: string, row: string, family: string, qualifier: string, value: string): Buffer {
  const writer = call('put').stringField(1, table).field(T_STRUCT, 2).stringField(1, row).list(2, T_STRUCT, 1)
  writer.stringField(1, family).stringField(2, qualifier).stringField(3, value)
  return writer.stop().stop().stop().frame()
}

export function append(table: string, row: string, column: string, suffix: string): Buffer {
  const writer = call('append').field(T_STRUCT, 1).stringField(1, table).stringField(2, row)
  writer.list(3, T_STRING, 1).string(column).list(4, T_STRING, 1).string(suffix)
  return writer.stop().stop().frame()
}

export function getRow(table: string, row: string): Buffer {
  return call('getRow').stringField(1, table).stringField(2, row).stop().frame()
}

export function majorCompact(table: string): Buffer {
  return call('majorCompact').stringField(1, table).stop().frame()
}

export function scannerOpenWithScan(table: string, caching: number): Buffer {
  return call('scannerOpenWithScan')
    .stringField(1, table)
    .field(T_STRUCT, 2)
    .field(T_I32, 5)
    .i32(caching)
    .stop()
    .stop()
    .frame()
}

export function scannerGetList(id: number, rows: number): Buffer {
  return call('scannerGetList').field(T_I32, 1).i32(id).field(T_I32, 2).i32(rows).stop().frame()
}

export function scannerClose(id: number): Buffer {
  return call('scannerClose').field(T_I32, 1).i32(id).stop().frame()
}

/** The i32 that a method answered. Throws where it answered an exception. */
export function i32Answer(frame: Buffer): number {
  const body = resultOf(frame)
  if (frame[body] !== T_I32 || frame.readInt16BE(body + 1) !== 0)
    throw new Error(`not an i32: ${frame.toString('latin1')}`)
  return frame.readInt32BE(body + 3)
}

/** Throws where a method answered an exception. */
export function checkAnswer(frame: Buffer): void {
  const body = resultOf(frame)
  const isException = frame[body] === T_STRUCT && frame.readInt16BE(body + 1) !== 0
  if (frame[7] !== 2 || isException) throw new Error(`an exception: ${frame.toString('latin1')}`)
}

/** How many elements the list has that a method answered. */
export function listAnswerLength(frame: Buffer): number {
  const body = resultOf(frame)
  if (frame[body] !== T_LIST) throw new Error(`not a list: ${frame.toString('latin1')}`)
  return frame.readInt32BE(body + 4)
}

/** Offset of the result struct: behind frame length, version, name and sequence id. */
function resultOf(frame: Buffer): number {
  return 4 + 4 + 4 + frame.readInt32BE(8) + 4
}
