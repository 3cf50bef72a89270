/** Answers of resources. The door writes them to the socket. */

import { type ServerResponse, STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { HttpRequest } from '../../../gateway/connections/http-request.ts'
import type { HttpExchange } from '../../../gateway/http/http-exchange.ts'
import type { FixedHeaders } from './security-headers.ts'
import { zippedAtOnce, zippedBody } from './zipped-body.ts'

export const TEXT_TYPE = 'text/plain'

export type HeaderValues = Readonly<Record<string, string | readonly string[]>>

export interface Answer {
  readonly status: number
  readonly contentType?: string | undefined
  /** Of several values, each is a header of its own. */
  readonly headers?: HeaderValues
  /** The door writes a stream in chunks, as fast as the client reads them. Undefined: no body. */
  readonly body?: Buffer | AsyncIterable<Buffer>
  /** True for a stream whose chunks the client gets as they are made, and which ends with the client: it is not zipped. */
  readonly isLive?: boolean
  /** True for the 404 of a read that found nothing, which is an answer and no refusal. */
  readonly isAbsence?: boolean
  /** True where a sibling process made the answer, and counted the request. */
  readonly isForwarded?: boolean
  /** The last chunk of a stream that fails, with its error. The door then closes the connection. Undefined: it closes at once. */
  readonly errorChunk?: ((error: unknown) => Buffer) | undefined
}

export const OK: Answer = { status: 200 }
export const NO_CACHE: Readonly<Record<string, string>> = { 'Cache-Control': 'no-cache' }

/** HBase's reason phrases that differ from Node's. */
const REASONS: ReadonlyMap<number, string> = new Map([[500, 'Server Error']])

/**
 * Statuses whose body is never zipped, because HBase's servlet container writes it or it is empty. HBase zips the errors of its resources,
 * such as 404 and 503.
 */
const UNZIPPED: ReadonlySet<number> = new Set([401, 405, 406, 413, 415, 429, 500])

/** A body up to this size goes out in one write with its headers. Node does that only with strings. */
const ONE_WRITE_BYTES_MAX = 16 * 1024

const ZIPPED_LINES = 'Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n'

/** A value that Node refuses in a header. */
const REFUSED_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/

/**
 * Sends an answer without a body or with a small one in one write. True where it has; false where it cannot, which writeAnswer then
 * does. `fixed`: headers of every answer.
 */
export function sentAtOnce(
  exchange: HttpExchange,
  { status, headers, contentType, body, isForwarded }: Answer,
  fixed: FixedHeaders,
): boolean {
  const reason = STATUS_CODES[status]
  if (reason === undefined || isForwarded === true) return false
  if (status < 200 || status === 304 || REASONS.has(status)) return false
  let sent: Buffer | undefined
  const isZipped = body !== undefined && isZippedFor(exchange.request, status)
  if (body !== undefined) {
    if (status === 204 || !Buffer.isBuffer(body) || body.length > ONE_WRITE_BYTES_MAX) return false
    sent = isZipped ? zippedAtOnce(body) : body
    if (sent === undefined) return false
  }
  let head = `HTTP/1.1 ${status} ${reason}\r\n${fixed.lines}`
  for (const name in headers) {
    const value = headers[name]!
    if (typeof value !== 'string' || name === 'Connection' || REFUSED_IN_HEADER.test(value)) return false
    head += `${name}: ${value}\r\n`
  }
  if (contentType !== undefined) {
    if (REFUSED_IN_HEADER.test(contentType)) return false
    head += `Content-Type: ${contentType}\r\n`
  }
  if (isZipped) head += ZIPPED_LINES
  if (status !== 204) head += `Content-Length: ${sent === undefined ? 0 : sent.length}\r\n`
  return exchange.sendWhole(status, `${head}\r\n`, sent === undefined ? '' : sent.toString('latin1'))
}

/**
 * Resolves once the socket has the answer. Rejects where a stream fails: the caller then closes the connection. `fixed`: headers of every
 * answer.
 */
export async function writeAnswer(
  { request, outgoing }: HttpExchange,
  answer: Answer,
  fixed: FixedHeaders,
): Promise<void> {
  const headers = [...fixed.list]
  for (const name in answer.headers) {
    for (const value of [answer.headers[name]!].flat()) headers.push(name, value)
  }
  if (answer.contentType !== undefined) headers.push('Content-Type', answer.contentType)
  const { body } = answer
  const compress = body !== undefined && answer.isLive !== true && isZippedFor(request, answer.status)
  if (compress) headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding')
  outgoing.sendDate = false
  if (body === undefined || Buffer.isBuffer(body)) {
    const bytes = compress && body !== undefined ? await zippedBody(body) : body
    if (answer.status !== 204) headers.push('Content-Length', String(bytes?.length ?? 0))
    writeHead(request, outgoing, answer.status, headers)
    if (bytes === undefined) outgoing.end()
    else if (bytes.length > ONE_WRITE_BYTES_MAX) outgoing.end(bytes)
    else outgoing.end(bytes.toString('latin1'), 'latin1')
    return
  }
  writeHead(request, outgoing, answer.status, headers)
  if (answer.errorChunk !== undefined) await writeWithErrorChunk(outgoing, body, answer.errorChunk, compress)
  else await writeStream(outgoing, body, compress)
}

function writeHead(incoming: HttpRequest, outgoing: ServerResponse, status: number, headers: string[]): void {
  // HBase sends no Connection header over HTTP/1.1. Without it Node keeps the connection open, so a client that has ended its side gets it.
  if (outgoing.shouldKeepAlive && incoming.httpVersionMinor === 1 && !incoming.socket.readableEnded)
    outgoing.removeHeader('Connection')
  const reason = status >= 500 ? REASONS.get(status) : undefined
  if (reason === undefined) outgoing.writeHead(status, headers)
  else outgoing.writeHead(status, reason, headers)
}

async function writeStream(
  outgoing: ServerResponse,
  body: AsyncIterable<Buffer>,
  compress: boolean,
  end = true,
): Promise<void> {
  const source = Readable.from(body, { objectMode: false })
  if (compress) await pipeline(source, createGzip(), outgoing, { end })
  else await pipeline(source, outgoing, { end })
}

/** As writeStream, but a stream that fails ends with the error chunk. Rejects with the stream's error once the socket has that chunk. */
async function writeWithErrorChunk(
  outgoing: ServerResponse,
  body: AsyncIterable<Buffer>,
  errorChunk: (error: unknown) => Buffer,
  compress: boolean,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined
  async function* withErrorChunk(): AsyncGenerator<Buffer> {
    try {
      yield* body
    } catch (error) {
      failure = { error }
      yield errorChunk(error)
    }
  }
  await writeStream(outgoing, withErrorChunk(), compress, false)
  if (failure === undefined) {
    await untilSent(outgoing, (done) => outgoing.end(done))
    return
  }
  await untilSent(outgoing, (done) => outgoing.write('', done))
  throw failure.error
}

/** Resolves once the socket has the sent bytes, or is closed. */
function untilSent(outgoing: ServerResponse, send: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) {
      resolve()
      return
    }
    outgoing.once('close', resolve)
    send(() => {
      outgoing.off('close', resolve)
      resolve()
    })
  })
}

/** QUIRK rest-http-zip-row-accepted-gzip-q-0: the word counts, even with a quality of 0. */
const GZIP = /gzip/i

function isZippedFor(incoming: HttpRequest, status: number): boolean {
  const accepted = incoming.headers['accept-encoding']
  return accepted !== undefined && GZIP.test(accepted) && !UNZIPPED.has(status)
}
