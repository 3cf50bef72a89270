/** Requests of a connection, usual and odd ones, cut anywhere. */

import fc from 'fast-check'

/** Mostly the first, so that whole connections may be usual ones. */
function mostly<T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
}

const headerLine = mostly(
  [
    'Accept: application/json',
    'Accept-Encoding: gzip, deflate',
    'accept-encoding:gzip',
    'Connection: keep-alive',
    'Connection: Keep-Alive',
    'Content-Length: 0',
    'X-Forwarded-For: 10.0.0.9',
    'X-Quote: "a, b"; c=d',
    'constructor: a',
    'Cookie: a=b',
    `X-Long: ${'l'.repeat(1500)}`,
  ],
  [
    'Connection: close',
    'Connection: keep-alive, close',
    'Connection: Upgrade',
    'Proxy-Connection: close',
    'Upgrade: h2c',
    'Expect: 100-continue',
    'Expect: something',
    'Content-Length: 3',
    'Content-Length: 03',
    'Content-Length: +3',
    'Content-Length: 3, 3',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: identity',
    'Trailer: X-A',
    'Host: other',
    'X-Forwarded-For: nowhere',
    'X-Forwarded-Proto: gopher',
    'X-Empty:',
    'X-Spaces:  \t a b \t ',
    'X-Tab: a\tb',
    'X-Latin: \xe9',
    'X-Nul: a\0b',
    'X-Return: a\rb',
    'X-Feed: a\nContent-Length: 3',
    'X_Under: score',
    '__proto__: a',
    ' folded',
    'No-Colon',
    ': no name',
    'Space : before',
    `X-Longer: ${'l'.repeat(3000)}`,
  ],
)

const request = fc
  .record({
    method: mostly(['GET', 'PUT', 'POST', 'DELETE'], ['HEAD', 'OPTIONS', 'PATCH', 'get', 'BREW', '']),
    path: mostly(
      ['/whole', '/whole', '/late', '/stream', '/none'],
      ['/close', '', '*', 'http://a/whole', '//', '/{a}', '/a b', '/\xe9', '/\x7f', '/\t', '/"<>\\^`|[]'],
    ),
    more: mostly(['', '?a=b&c', '/%00;v=1', "/~a:b@!$&'()*+,;="], ['#f', '/{a}', '?\xe9']),
    version: mostly(['HTTP/1.1'], ['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1', '']),
    host: mostly([['Host: a']], [[]]),
    headers: fc.array(headerLine, { maxLength: 2 }),
    lineEnd: mostly(['\r\n'], ['\n']),
    body: mostly(['', 'abc', 'abcd'], ['ab', '3\r\nabc\r\n0\r\n\r\n', '\r\n']),
    states: mostly([true], [false]),
  })
  .map(({ method, path, more, version, host, headers, lineEnd, body, states }) => {
    const length = states && body !== '' ? [`Content-Length: ${body.length}`] : []
    // A stream is zipped in another thread: whether it ends before the client does would be chance.
    const sent = path === '/stream' ? headers.filter((line) => !/encoding/i.test(line)) : headers
    const lines = [`${method} ${path}${more} ${version}`, ...host, ...sent, ...length]
    return `${lines.join(lineEnd)}${lineEnd}${lineEnd}${body}`
  })

/** Requests in the order of a connection, cut at any places or at their ends. */
export const connection: fc.Arbitrary<string[]> = fc
  .record({
    requests: fc.array(request, { minLength: 1, maxLength: 4 }),
    cuts: fc.oneof(
      { weight: 3, arbitrary: fc.constant<number[]>([]) },
      fc.array(fc.nat({ max: 400 }), { maxLength: 2 }),
    ),
    isPipelined: mostly([false], [true]),
    lacksEnd: mostly([false], [true]),
  })
  .map(({ requests: drawn, cuts, isPipelined, lacksEnd }) => {
    // After a body of another length Node's server may take its last bytes for a part of a method that it does not know.
    const requests = drawn.map((text, at) =>
      at === drawn.length - 1 ? text : text.replace(/\r\nContent-Length: 0?3(?=\r\n)/, ''),
    )
    // Right behind a body Node's server takes the body's last bytes for a part of a method that it does not know.
    const isKnown = requests.every((text) => /^(?:GET|PUT|POST|DELETE|HEAD|OPTIONS|PATCH) /.test(text))
    const pieces = isPipelined && isKnown ? [requests.join('')] : requests
    const cut = pieces.flatMap((piece) => {
      const at = [0, ...cuts.filter((cut) => cut < piece.length), piece.length].toSorted((a, b) => a - b)
      return at.slice(1).map((end, i) => piece.slice(at[i], end))
    })
    return lacksEnd ? [...cut.slice(0, -1), cut.at(-1)!.slice(0, -1)] : cut
  })
