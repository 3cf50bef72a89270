/**
 * Request lines with raw UTF-8 in their target (`GET /t/é`). HBase's server takes them, Node's parser refuses them. Such a
 * line is percent-encoded, and the server gets the connection anew, from that line on. Node's parser then reads
 * the whole request as strictly as any other.
 */

import { isUtf8 } from 'node:buffer'
import type { Server } from 'node:http'
import { Duplex } from 'node:stream'
import { ConnectionOrigin } from '../connections/connection-origin.ts'
import type { ParserError } from './http-refusals.ts'
import { afterAnswers } from './pipelined-answers.ts'

const LINE_FEED = 0x0a
const SPACE = 0x20
/** These patterns match bytes that are read as Latin 1. */
const LINE_START = /^(?:GET|HEAD|PUT|POST|DELETE|OPTIONS|PATCH) [!-\xff]*$/
const REQUEST_LINE = /^[A-Z]+ [!-\xff]+ HTTP\/1\.[01]\r?\n$/
const REFUSED_BYTE = /[\x7f-\xff]/g

export type Refuse = (error: ParserError, connection: Duplex) => void

export class RawRequestLines {
  readonly #server: Server
  readonly #lineBytesMax: number
  readonly #refuse: Refuse
  readonly #relays: WeakMap<Duplex, Relay> = new WeakMap()

  /** `refuse`: answers a client whose line turns out to be no request line. */
  constructor(server: Server, lineBytesMax: number, refuse: Refuse) {
    this.#server = server
    this.#lineBytesMax = lineBytesMax
    this.#refuse = refuse
  }

  /**
   * True where the connection goes on although Node's parser has refused the line. False for other errors, and where the
   * line began before the refused packet: its first bytes are lost then.
   */
  goOn(error: ParserError, connection: Duplex): boolean {
    const known = connection instanceof StandIn ? connection.relay : this.#relays.get(connection)
    // Another stream has taken over. The parser of this one waits in vain for the rest of its request.
    if (known?.hasLeft(connection) === true) return true
    const packet = linePacket(error)
    if (packet === undefined) return false
    const relay = known ?? new Relay(this.#server, connection, this.#lineBytesMax, this.#refuse)
    this.#relays.set(connection, relay)
    relay.take(packet, error, connection)
    return true
  }

  /** The stream that requests of the connection come through now: after a raw line, a stand-in for its socket. */
  streamOf(connection: Duplex): Duplex {
    return this.#relays.get(connection)?.stream ?? connection
  }
}

/**
 * The packet from the refused line on; undefined where the parser refused something other than a byte of the line's target. Bytes before
 * the line belong to earlier requests, which the parser has read completely.
 *
 * No method of LINE_START is the end of another that the parser knows, or of another with bytes of a body before it. A line whose
 * first bytes came in an earlier packet, and a line right behind a body, are therefore never read with the wrong method.
 */
function linePacket({ code, rawPacket, bytesParsed }: ParserError): Buffer | undefined {
  if (code !== 'HPE_INVALID_URL' || rawPacket === undefined || !bytesParsed) return undefined
  const start = rawPacket.lastIndexOf(LINE_FEED, bytesParsed - 1) + 1
  return LINE_START.test(rawPacket.toString('latin1', start, bytesParsed))
    ? rawPacket.subarray(start)
    : undefined
}

/** The percent-encoded line; undefined for a line that is not UTF-8, which HBase refuses, or not of HTTP/1. */
export function encodedRequestLine(line: Buffer): Buffer | undefined {
  const text = line.toString('latin1')
  if (!(REQUEST_LINE.test(text) && isUtf8(line))) return undefined
  const encoded = text.replace(REFUSED_BYTE, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  return Buffer.from(encoded, 'latin1')
}

/** Takes the bytes of a connection from the server, and gives them back through one stand-in after the other. */
class Relay {
  readonly #server: Server
  readonly #connection: Duplex
  readonly #lineBytesMax: number
  readonly #refuse: Refuse
  #standIn: StandIn | undefined
  /** The bytes from a refused line on, while they wait for the end of the line or for answers to earlier requests. */
  #held: { readonly error: ParserError; readonly bytes: Buffer } | undefined
  /** True while answers to earlier requests are being sent. The connection is then not read, so that few bytes are held. */
  #waits = false
  #hasEnded = false

  constructor(server: Server, connection: Duplex, lineBytesMax: number, refuse: Refuse) {
    this.#server = server
    this.#connection = connection
    this.#lineBytesMax = lineBytesMax
    this.#refuse = refuse
    connection.removeAllListeners('data').removeAllListeners('end')
    connection.on('data', (chunk: Buffer) => this.#arrived(chunk))
    connection.once('end', () => this.#ended())
    connection.once('close', () => this.#standIn?.destroy())
  }

  /** The stream from which the server reads requests; undefined while a line is held. */
  get stream(): Duplex | undefined {
    return this.#standIn
  }

  /** True where another stream has the connection's requests now. */
  hasLeft(asked: Duplex): boolean {
    return this.#standIn !== undefined && this.#standIn !== asked
  }

  /** Holds the refused packet. `asked`: the stream that it came through. */
  take(packet: Buffer, error: ParserError, asked: Duplex): void {
    const unread = asked === this.#standIn ? this.#standIn.unread() : []
    this.#held = { error, bytes: Buffer.concat([packet, ...unread]) }
    this.#goOnAfterAnswers(asked)
  }

  #goOnAfterAnswers(asked: Duplex): void {
    this.#waits = true
    this.#connection.pause()
    afterAnswers(asked, () => {
      this.#waits = false
      this.#connection.resume()
      if (asked === this.#standIn) this.#standIn.leave()
      this.#standIn = undefined
      this.#goOn()
    })
  }

  #arrived(chunk: Buffer): void {
    if (this.#held === undefined) {
      if (this.#standIn?.push(chunk) === false) this.#connection.pause()
      return
    }
    const { error, bytes } = this.#held
    this.#held = { error, bytes: Buffer.concat([bytes, chunk]) }
    if (!this.#waits) this.#goOn()
  }

  #ended(): void {
    this.#hasEnded = true
    if (this.#held === undefined) this.#standIn?.push(null)
    else if (!this.#waits) this.#goOn()
  }

  #goOn(): void {
    if (this.#held === undefined || this.#connection.destroyed) return
    const { error, bytes } = this.#held
    const lineEnd =
      bytes.indexOf(
        LINE_FEED,
        bytes.findIndex((byte) => byte > SPACE),
      ) + 1
    if (lineEnd === 0 && bytes.length <= this.#lineBytesMax && !this.#hasEnded) return
    this.#held = undefined
    const refused = bytes.subarray(0, lineEnd)
    const line = encodedRequestLine(refused)
    // Node's parser would refuse an unchanged line again.
    if (line === undefined || line.equals(refused)) {
      this.#refuse(error, this.#connection)
      return
    }
    this.#standIn = new StandIn(this, this.#connection)
    this.#server.emit('connection', this.#standIn)
    this.#standIn.push(line)
    if (lineEnd < bytes.length) this.#standIn.push(bytes.subarray(lineEnd))
    if (this.#hasEnded) this.#standIn.push(null)
  }
}

/** Stands in for a connection, from a request line on that Node's parser has refused. */
export class StandIn extends Duplex {
  readonly relay: Relay
  readonly #connection: Duplex
  #hasLeft = false

  constructor(relay: Relay, connection: Duplex) {
    super()
    this.relay = relay
    this.#connection = connection
    ConnectionOrigin.of(connection).goesOnIn(this)
  }

  /** The same as of a socket. */
  get bytesRead(): number {
    return (this.#connection as Duplex & { bytesRead?: number }).bytesRead ?? 0
  }

  /** The same as of a socket: minus `writableLength`, it is the bytes that the client has taken. */
  get bytesWritten(): number {
    const { bytesWritten = 0, writableLength } = this.#connection as Duplex & { bytesWritten?: number }
    return bytesWritten - writableLength + this.writableLength
  }

  /** Removes and returns the chunks that the server has not read. It reads none afterwards. */
  unread(): Buffer[] {
    this.removeAllListeners('data')
    const chunks: Buffer[] = []
    for (let chunk = this.read() as Buffer | null; chunk !== null; chunk = this.read() as Buffer | null) {
      chunks.push(chunk)
    }
    return chunks
  }

  /** Ends this stream. The connection stays open. */
  leave(): void {
    this.#hasLeft = true
    this.destroy()
  }

  override _read(): void {
    this.#connection.resume()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#connection.write(chunk, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#connection.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#hasLeft) this.#connection.destroy()
    done(error)
  }
}
