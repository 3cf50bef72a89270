/**
 * Reads requests of the form that nearly all have: a request line and headers without peculiarities, and a whole body.
 * Anything else, odd or malformed, is left to Node's parser. Every request that is read here means the same to Node's parser.
 */

import type { IncomingHttpHeaders } from 'node:http'

export interface SmallRequest {
  readonly method: string
  /** As the client sent it: a path, and perhaps a query. */
  readonly url: string
  /** Names in lower case. Requests with the same headers share them. */
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly body: Buffer
  /** Bytes behind the request; undefined where there are none. */
  readonly rest: Buffer | undefined
}

const END_OF_HEAD: Buffer = Buffer.from('\r\n\r\n')
const END_OF_LINE = '\r\n'

const REQUEST_LINE = /^(GET|PUT|POST|DELETE) (\/[\w.~:/?@!$&'()*+,;=%-]*) HTTP\/1\.1$/
const HEADER = /^([A-Za-z][A-Za-z0-9-]*): ?([!-~](?:[ -~]*[!-~])?)$/
const LENGTH = /^\d{1,9}$/
const KEEP_ALIVE = /^keep-alive$/i

/** Headers that decide how long the request is, or what becomes of the connection. */
const LEFT_TO_NODE: ReadonlySet<string> = new Set([
  'expect',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

interface HeaderBlock {
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly bodyBytes: number
}

/** Blocks of headers that are kept: the clients of one program send the same ones again and again. */
const KEPT_BLOCKS = 64
const KEPT_BLOCK_LENGTH_MAX = 1024

export class SmallRequestReader {
  readonly #headBytesMax: number
  readonly #kept = new Map<string, HeaderBlock>()

  constructor(headBytesMax: number) {
    this.#headBytesMax = headBytesMax
  }

  /**
   * The request with which the bytes begin: its body and rest are views of them. A number: its head is there, and so many bytes of
   * its body are not. Undefined where it is no small request, or its head is not whole.
   */
  read(bytes: Buffer): SmallRequest | number | undefined {
    const end = bytes.indexOf(END_OF_HEAD)
    if (end < 0 || end > this.#headBytesMax) return undefined
    const head = bytes.toString('latin1', 0, end)
    const endOfLine = head.indexOf(END_OF_LINE)
    if (endOfLine < 0) return undefined
    const line = REQUEST_LINE.exec(head.slice(0, endOfLine))
    if (line === null) return undefined
    const block = this.#block(head.slice(endOfLine + END_OF_LINE.length))
    const bodyStart = end + END_OF_HEAD.length
    if (block === undefined) return undefined
    const next = bodyStart + block.bodyBytes
    if (next > bytes.length) return next - bytes.length
    const body = bytes.subarray(bodyStart, next)
    const rest = next < bytes.length ? bytes.subarray(next) : undefined
    return { method: line[1]!, url: line[2]!, headers: block.headers, body, rest }
  }

  #block(text: string): HeaderBlock | undefined {
    const kept = this.#kept.get(text)
    if (kept !== undefined) return kept
    const block = headerBlock(text)
    if (block === undefined || text.length > KEPT_BLOCK_LENGTH_MAX) return block
    if (this.#kept.size >= KEPT_BLOCKS) this.#kept.clear()
    this.#kept.set(text, block)
    return block
  }
}

function headerBlock(text: string): HeaderBlock | undefined {
  const headers: Record<string, string> = {}
  for (const line of text.split(END_OF_LINE)) {
    const found = HEADER.exec(line)
    if (found === null) return undefined
    const [, written = '', value = ''] = found
    const name = written.toLowerCase()
    if (Object.hasOwn(headers, name) || LEFT_TO_NODE.has(name)) return undefined
    headers[name] = value
  }
  const { host, connection = 'keep-alive', 'content-length': length = '0' } = headers
  if (host === undefined || !KEEP_ALIVE.test(connection) || !LENGTH.test(length)) return undefined
  return { headers: Object.freeze(headers), bodyBytes: Number(length) }
}
