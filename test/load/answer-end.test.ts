import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AnswerForm, answerEnd } from '../harness/answer-end.ts'

/** Whether the answer, cut at these places, is whole at its last chunk and no earlier. */
function endsAtItsEnd(form: AnswerForm, answer: Buffer, cuts: readonly number[]): boolean {
  const end = answerEnd(form)
  const places = [0, ...cuts.map((cut) => cut % answer.length).toSorted((a, b) => a - b), answer.length]
  for (let turn = 0; turn < 2; turn++) {
    end.begin()
    const chunks = places.slice(1).map((to, i) => answer.subarray(places[i], to))
    const wholeAt = chunks.filter((chunk) => chunk.length > 0).map((chunk) => end.take(chunk))
    if (wholeAt.indexOf(true) !== wholeAt.length - 1) return false
  }
  return true
}

function framed(body: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length)
  return Buffer.concat([length, body])
}

function inChunks(parts: readonly Uint8Array[]): Buffer {
  const chunks = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ])
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  return Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')])
}

const body = fc.uint8Array({ minLength: 1, maxLength: 40 })
const cuts = fc.array(fc.nat(), { maxLength: 6 })

test('an answer ends with its last byte, however it is cut', () => {
  fc.assert(
    fc.property(body, fc.array(body, { maxLength: 3 }), cuts, (bytes, parts, at) => {
      const stated = `HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`
      expect(endsAtItsEnd(bytes.length, Buffer.from(bytes), at)).toBe(true)
      expect(endsAtItsEnd('framed', framed(bytes), at)).toBe(true)
      expect(endsAtItsEnd('http', Buffer.concat([Buffer.from(stated), bytes]), at)).toBe(true)
      expect(endsAtItsEnd('http', inChunks(parts), at)).toBe(true)
    }),
  )
})

function take(form: AnswerForm, text: string): () => boolean {
  const end = answerEnd(form)
  end.begin()
  return () => end.take(Buffer.from(text))
}

test('an answer that is too long, or tells of an error, is no answer', () => {
  expect(take(2, 'abc')).toThrow('1 bytes longer')
  expect(take('framed', '\0\0\0\x01ab')).toThrow('1 bytes longer')
  expect(take('http', 'HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n')).toThrow('503 Busy')
})
