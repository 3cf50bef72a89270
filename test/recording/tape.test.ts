import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HttpCutter } from '../../src/recording/http-messages.ts'
import { FrameCutter } from '../../src/recording/protocol.ts'
import { exchangeLine, headLine, readTape, startLine } from '../../src/recording/tape.ts'

const HEAD = { protocol: 'http', server: 'h:1', begun: '2026-01-01T00:00:00Z' } as const
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
)

test('every message is the same after its way through the file', () => {
  fc.assert(
    fc.property(anyBytes, fc.option(anyBytes), anyBytes, (request, answer, start) => {
      const exchange = { connection: 1, at: 1.5, took: answer === null ? null : 2, request, answer }
      const text = headLine(HEAD) + startLine({ connection: 1, start }) + exchangeLine(exchange)
      const tape = readTape(text)
      expect(tape.exchanges).toEqual([exchange])
      expect(tape.starts).toEqual([{ connection: 1, start }])
      expect(tape.head).toMatchObject(HEAD)
    }),
  )
})

test.each([
  ['', 'line 1 of the recording is no object of JSON'],
  ['{}', 'this is no recording of tidegate record'],
  ['{"format":"tidegate recording","version":2}', 'version 2; this Tidegate reads version 1'],
  [
    `${headLine(HEAD)}{"connection":1,"request":{}}`,
    'line 2 of the recording has a message without text or bytes',
  ],
])('%s is refused', (text, reason) => {
  expect(() => readTape(text)).toThrow(reason)
})

/** The bytes in pieces that end at these places. */
function pieces(bytes: Buffer, ends: readonly number[]): Buffer[] {
  const cuts = [0, ...ends.map((end) => end % bytes.length).sort((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
}

const anyEnds = fc.array(fc.nat(), { maxLength: 12 })

test('messages of HTTP are cut where they end, in pieces of any size', () => {
  const messages = [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde',
    'HTTP/1.1 204 No Content\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n',
    'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n',
  ]
  const bytes = Buffer.from(messages.join(''))
  fc.assert(
    fc.property(anyEnds, (ends) => {
      const cutter = new HttpCutter('answer', ['GET', 'DELETE', 'GET', 'HEAD', 'GET'])
      const cut = pieces(bytes, ends).flatMap((piece) => cutter.push(piece).map(String))
      expect(cut).toEqual(messages)
    }),
  )
})

test('frames are cut where they end, in pieces of any size', () => {
  const messages = [Buffer.from([0, 0, 0, 2, 7, 8]), Buffer.from([0, 0, 0, 0]), Buffer.from([0, 0, 0, 1, 9])]
  fc.assert(
    fc.property(anyEnds, (ends) => {
      const cutter = new FrameCutter()
      expect(pieces(Buffer.concat(messages), ends).flatMap((piece) => cutter.push(piece))).toEqual(messages)
    }),
  )
  expect(() => new FrameCutter().push(Buffer.from([0xff, 0, 0, 0]))).toThrow('a message of')
})
