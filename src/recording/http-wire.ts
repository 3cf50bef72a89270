/** HTTP, as the REST door and Thrift over HTTP speak it. */

import { withoutSecretParameters } from '../wire/hadoop/secret-parameters.ts'
import { withoutBodyTokens } from './body-tokens.ts'
import { bodyOf, HttpCutter, headerOf, readHead, writeHead } from './http-messages.ts'
import { REFUSAL, type Wire, withoutTimes } from './protocol.ts'

/** Headers whose values are secrets, or lead to secrets. Hadoop's clients send a token in X-Hadoop-Delegation-Token, and proxies use similar names. */
const SECRET =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:www|proxy)-authenticate|authentication-info|.*(?:token|secret|password|credential|api-?key).*)$/i
/** The most bytes of a method and the space after it. */
const METHOD_BYTES_MAX = 12
const NOT_RECORDED = '(not recorded)'
/** Headers of requests that change the answer. */
const ASKING: ReadonlySet<string> = new Set(['accept', 'content-type', 'content-encoding', 'range'])
/** Headers of answers that vary between equal answers. */
const VARYING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'location',
  'server',
  'transfer-encoding',
])

type Header = readonly [name: string, value: string]

function byName([a]: Header, [b]: Header): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The text without tokens in addresses, which Referer and Location contain too. */
function withoutTokens(text: string): string {
  return withoutSecretParameters(text, encodeURIComponent(NOT_RECORDED))
}

export const HTTP: Wire = {
  name: 'http',
  hasStart: false,
  conversation: (begin, bytesMax) => {
    const word = begin.toString('latin1', 0, METHOD_BYTES_MAX)
    if (/^[A-Z]*$/.test(word) && word.length < METHOD_BYTES_MAX) return 'more'
    if (!/^[A-Z]+ /.test(word)) return undefined
    const asked: string[] = []
    return {
      requests: new HttpCutter('request', asked, bytesMax),
      answers: new HttpCutter('answer', asked, bytesMax),
    }
  },
  idOf: () => undefined,
  isAnswered: () => true,
  isEvent: () => false,
  redacted: (message) => {
    const head = readHead(message)
    const rewritten = withoutBodyTokens(message, head, NOT_RECORDED)
    const headers = (rewritten ?? head).headers.map(
      ([name, value]) => [name, SECRET.test(name.trim()) ? NOT_RECORDED : withoutTokens(value)] as const,
    )
    const line = withoutTokens(head.line)
    return Buffer.concat([writeHead({ line, headers }), rewritten?.body ?? message.subarray(head.bodyStart)])
  },
  keyOf: (request) => {
    const head = readHead(request)
    const asking = head.headers
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => ASKING.has(name))
      .sort(byName)
    return JSON.stringify([head.line, asking, bodyOf(request).toString('latin1')])
  },
  answerTo: (request, recorded) => {
    const before = headerOf(readHead(recorded.request), 'host')
    const now = headerOf(readHead(request), 'host')
    const head = readHead(recorded.answer)
    if (before === undefined || now === undefined) return recorded.answer
    const headers = head.headers.map(
      ([name, value]) =>
        [
          name,
          name.toLowerCase() === 'location' ? value.replace(`//${before}/`, `//${now}/`) : value,
        ] as const,
    )
    return Buffer.concat([writeHead({ ...head, headers }), recorded.answer.subarray(head.bodyStart)])
  },
  refusal: () => {
    const body = `${REFUSAL}\n`
    const headers = [
      ['Content-Type', 'text/plain'],
      ['Content-Length', String(body.length)],
    ] as const
    return Buffer.concat([writeHead({ line: 'HTTP/1.1 501 Not Implemented', headers }), Buffer.from(body)])
  },
  masked: (answer) => {
    const head = readHead(answer)
    const headers = head.headers
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !VARYING.has(name) && !SECRET.test(name))
      .sort(byName)
    // The reason phrase after the status differs between servers.
    const line = head.line.split(' ').slice(1, 2).join(' ')
    return Buffer.concat([writeHead({ line, headers }), withoutTimes(bodyOf(answer))])
  },
}
