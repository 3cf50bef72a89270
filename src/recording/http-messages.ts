/** Whole messages of HTTP/1.1: head and body. */

import { type Cutter, Gathered, MESSAGE_BYTES_MAX } from './protocol.ts'

const HEAD_END = Buffer.from('\r\n\r\n')
/** The end of a line, as lenient servers read it: a line that begins with white space continues the line before. */
const LINE_END = /\r?\n(?![ \t])/
const HEAD_BYTES_MAX = 1024 * 1024

export interface HttpHead {
  /** The request line or the status line. */
  readonly line: string
  /** In their order, with the names as the sender wrote them. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly bodyStart: number
}

export function readHead(message: Buffer): HttpHead {
  const end = message.indexOf(HEAD_END)
  const [line = '', ...lines] = message.toString('latin1', 0, Math.max(0, end)).split(LINE_END)
  const headers = lines.map((each) => {
    const colon = each.indexOf(':')
    return [each.slice(0, colon), each.slice(colon + 1).trim()] as const
  })
  return { line, headers, bodyStart: end + HEAD_END.length }
}

export function headerOf({ headers }: HttpHead, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1]
}

export function writeHead({ line, headers }: Pick<HttpHead, 'line' | 'headers'>): Buffer {
  const lines = [line, ...headers.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** The body. Chunks are joined. */
export function bodyOf(message: Buffer): Buffer {
  const head = readHead(message)
  const body = message.subarray(head.bodyStart)
  return isChunked(head) ? dechunked(body) : body
}

function isChunked(head: HttpHead): boolean {
  return headerOf(head, 'transfer-encoding')?.toLowerCase().includes('chunked') === true
}

function dechunked(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const [start, length] = chunkAt(body, at) ?? [0, 0]
    if (length === 0) return Buffer.concat(parts)
    parts.push(body.subarray(start, start + length))
    at = start + length + 2
  }
}

/** The start and the length of a chunk's bytes; undefined where its line is not whole. */
function chunkAt(bytes: Buffer, at: number): [start: number, length: number] | undefined {
  const end = bytes.indexOf('\r\n', at)
  if (end < 0) return undefined
  const length = Number.parseInt(bytes.toString('latin1', at, end), 16)
  if (!(length >= 0)) throw new Error('a chunk without its length')
  return [end + 2, length]
}

/** `asked`: the methods of the requests that wait for answers. The cutter of requests adds to it, that of answers removes. */
export class HttpCutter implements Cutter {
  readonly #side: 'request' | 'answer'
  readonly #asked: string[]
  readonly #gathered: Gathered
  #waiting: Buffer = Buffer.alloc(0)
  /** The length of an incomplete message, where it is known; else 0. */
  #needed = 0
  /** The start of the first incomplete chunk of an incomplete message. */
  #chunk = 0

  constructor(side: 'request' | 'answer', asked: string[], bytesMax: number = MESSAGE_BYTES_MAX) {
    this.#side = side
    this.#asked = asked
    this.#gathered = new Gathered(bytesMax)
  }

  push(bytes: Buffer): Buffer[] {
    const gathered = this.#gathered.push(bytes)
    if (gathered === undefined) return []
    this.#waiting = gathered
    this.#needed = 0
    const messages: Buffer[] = []
    for (let length = this.#length(); length !== undefined; length = this.#length()) {
      const message = this.#waiting.subarray(0, length)
      this.#chunk = 0
      this.#waiting = this.#waiting.subarray(length)
      if (this.#note(message)) messages.push(message)
    }
    this.#gathered.keep(this.#waiting, this.#needed)
    return messages
  }

  end(): Buffer | undefined {
    const rest = this.#gathered.whole()
    return this.#side === 'answer' && rest.includes(HEAD_END) ? rest : undefined
  }

  /** Notes the method of a request. False for an interim answer (1xx), which another one follows. */
  #note(message: Buffer): boolean {
    const { line } = readHead(message)
    if (this.#side === 'request') this.#asked.push(line.split(' ')[0]!)
    else if (/^HTTP\/1\.\d 1\d\d/.test(line)) return false
    else this.#asked.shift()
    return true
  }

  /** The length of the first waiting message; undefined where it is not whole. */
  #length(): number | undefined {
    const end = this.#waiting.indexOf(HEAD_END)
    if (end < 0 && this.#waiting.length > HEAD_BYTES_MAX) throw new Error('a head without an end')
    if (end < 0) return undefined
    const head = readHead(this.#waiting)
    const { bodyStart } = head
    const status = /^HTTP\/1\.\d (\d{3})/.exec(head.line)?.[1] ?? ''
    const hasNone = /^(?:1\d\d|204|304)$/.test(status) || this.#asked[0] === 'HEAD'
    if (this.#side === 'answer' && hasNone) return bodyStart
    if (isChunked(head)) return this.#chunkedEnd(bodyStart)
    const stated = headerOf(head, 'content-length')
    if (stated === undefined) return this.#side === 'request' ? bodyStart : undefined
    // A negative length would cut the same bytes forever.
    if (!/^\d{1,15}$/.test(stated)) throw new Error('a Content-Length that is no number')
    const length = bodyStart + Number(stated)
    if (this.#waiting.length >= length) return length
    this.#needed = length
    return undefined
  }

  #chunkedEnd(bodyStart: number): number | undefined {
    for (let at = Math.max(bodyStart, this.#chunk); ; ) {
      this.#chunk = at
      const chunk = chunkAt(this.#waiting, at)
      if (chunk === undefined) return undefined
      const [start, length] = chunk
      const next = start + length + (length === 0 ? 0 : 2)
      if (this.#waiting.length < next) {
        this.#needed = next
        return undefined
      }
      if (length > 0) {
        at = next
        continue
      }
      // Trailers, and the empty line after them.
      if (this.#waiting.toString('latin1', start, start + 2) === '\r\n') return start + 2
      const end = this.#waiting.indexOf(HEAD_END, start)
      return end < 0 ? undefined : end + HEAD_END.length
    }
  }
}
