/** HTTP that no client of good will sends: it must neither hold the recorder up nor bring a secret into the file. */

import { expect, test } from 'vitest'
import { HttpCutter } from '../../src/recording/http-messages.ts'
import { HTTP } from '../../src/recording/http-wire.ts'
import { Gathered } from '../../src/recording/protocol.ts'

const head = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)

test.each(['-40', '-1', '1e3', '0x10', '', 'NaN', '5, 5'])(
  'a Content-Length of %j ends the recording',
  (stated) => {
    const cutter = new HttpCutter('request', [])
    expect(() => cutter.push(head('PUT /t/r/f:q HTTP/1.1', `Content-Length: ${stated}`))).toThrow(
      'Content-Length',
    )
  },
)

test('a large body of many chunks, in small pieces, is put together in linear time', () => {
  const cutter = new HttpCutter('request', [])
  const chunk = Buffer.from(`400\r\n${'x'.repeat(1024)}\r\n`)
  const chunks = 16 * 1024
  const begun = performance.now()
  expect(cutter.push(head('PUT /t/r HTTP/1.1', 'Transfer-Encoding: chunked'))).toEqual([])
  for (let i = 0; i < chunks; i++) expect(cutter.push(chunk).length).toBe(0)
  const [message] = cutter.push(Buffer.from('0\r\n\r\nGET / HTTP/1.1\r\n'))
  expect(message?.length).toBeGreaterThan(chunks * 1024)
  expect(cutter.push(Buffer.from('\r\n')).length).toBe(1)
  // Looking at everything again with each piece took minutes.
  expect(performance.now() - begun).toBeLessThan(10_000)
})

test.each([
  ['a folded header', head('GET / HTTP/1.1', 'Authorization: Basic', ' c2VjcmV0')],
  ['white space before the colon', head('GET / HTTP/1.1', 'Authorization : Basic c2VjcmV0')],
  ['a line feed alone', head('GET / HTTP/1.1', 'Accept: */*\nAuthorization: Basic c2VjcmV0')],
  ['an address in a header', head('GET / HTTP/1.1', 'Referer: http://h/?token=c2VjcmV0&a=b')],
])('no secret of %s is kept', (_, message) => {
  expect(HTTP.redacted(message, 'request').toString()).not.toContain('c2VjcmV0')
})

test('views of gathered messages stay good while more comes', () => {
  const gathered = new Gathered()
  const views: Buffer[] = []
  let waiting: Buffer = Buffer.alloc(0)
  for (let i = 0; i < 500; i++) {
    waiting = gathered.push(Buffer.alloc(7, i)) ?? gathered.whole()
    while (waiting.length >= 10) {
      views.push(waiting.subarray(0, 10))
      waiting = waiting.subarray(10)
    }
    gathered.keep(waiting, 0)
  }
  const sent = Buffer.concat(Array.from({ length: 500 }, (_, i) => Buffer.alloc(7, i)))
  expect(Buffer.concat([...views, waiting]).equals(sent)).toBe(true)
})
