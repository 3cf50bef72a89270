/** A writer whose buffer is full at any byte of what is written writes the same. */

import { expect, test } from 'vitest'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'

const RESPONSE: readonly ((writer: MessageWriter) => void)[] = [
  (writer) => writer.uint32(1, 300),
  (writer) => writer.uint32s(2, [1, 300, 70_000]),
  (writer) => writer.zeros(3, 5),
  (writer) => writer.bool(4, true),
  (writer) => writer.int64(5, 1_579_132_800_000n),
  (writer) => writer.int64(6, -1n),
  (writer) => writer.bytes(7, Buffer.from('some bytes')),
  (writer) => writer.string(8, 'Zürich'),
  (writer) => writer.raw(Buffer.from('raw')),
  (writer) => writer.range(Buffer.from('a range'), 2, 7),
]

function written(memory: Buffer): Buffer {
  const writer = new MessageWriter(memory)
  const frame = writer.beginFrame()
  const outer = writer.beginDelimited()
  for (const write of RESPONSE) {
    const start = writer.begin(9)
    // So that the length takes two bytes.
    writer.raw(Buffer.alloc(200, 7))
    write(writer)
    writer.end(start)
  }
  writer.end(outer)
  writer.endFrame(frame)
  return writer.take()
}

test('whatever the size of its first memory', () => {
  const roomy = written(Buffer.alloc(64 * 1024))
  for (let bytes = 0; bytes <= roomy.length; bytes++)
    expect(written(Buffer.alloc(bytes, 0xee)).equals(roomy), `${bytes} bytes`).toBe(true)
})
