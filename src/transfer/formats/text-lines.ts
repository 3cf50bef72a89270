/** The lines of a file, as bytes. A line feed ends a line. A carriage return before it is removed, and so is a byte order mark of UTF-8 before the first line. */

const FEED = 0x0a
const RETURN = 0x0d
/** Spreadsheets write it. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
/** The most bytes of a line. By default a cell of HBase has 10 MB at most, and its text may be four times as long. */
export const LINE_BYTES_MAX: number = 256 * 1024 * 1024

export interface TextLine {
  readonly bytes: Buffer
  /** The number of the line, from 1. */
  readonly number: number
}

/** `keepsReturns`: the lines have their carriage returns. */
export async function* textLines(
  chunks: AsyncIterable<Buffer>,
  keepsReturns = false,
): AsyncGenerator<TextLine> {
  const without = (line: Buffer, isFirst: boolean): Buffer => {
    const text = isFirst ? withoutMark(line) : line
    return keepsReturns ? text : withoutReturn(text)
  }
  let rest: Buffer[] = []
  let length = 0
  let number = 0
  for await (const chunk of chunks) {
    let begin = 0
    for (let end = chunk.indexOf(FEED); end >= 0; end = chunk.indexOf(FEED, begin)) {
      const last = chunk.subarray(begin, end)
      const line = rest.length === 0 ? last : Buffer.concat([...rest, last])
      number++
      yield { bytes: without(line, number === 1), number }
      rest = []
      length = 0
      begin = end + 1
    }
    length += chunk.length - begin
    if (length > LINE_BYTES_MAX) throw new Error(`line ${number + 1} is longer than ${LINE_BYTES_MAX} bytes`)
    if (begin < chunk.length) rest.push(chunk.subarray(begin))
  }
  if (rest.length > 0) yield { bytes: without(Buffer.concat(rest), number === 0), number: number + 1 }
}

function withoutMark(line: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK
  return line.subarray(0, length).equals(BYTE_ORDER_MARK) ? line.subarray(length) : line
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line
}
