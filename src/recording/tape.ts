/**
 * A recording: lines of JSON that operators can read. The first line has the format and its version. The others are exchanges and notes, in
 * the order in which they ended. Bytes are written as text or, where they are no text, as HBase's shell prints them: `\xHH`.
 */

import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { escapedText, unescapedText } from '../wire/text/escaped-text.ts'
import type { ProtocolName } from './protocol.ts'

/** PERSISTED: never renumber. */
const VERSION = 1
const FORMAT = 'tidegate recording'

export interface TapeHead {
  readonly protocol: ProtocolName
  /** The server that was recorded: HOST:PORT. */
  readonly server: string
  /** The time at which the recording began, as ISO 8601. */
  readonly begun: string
}

/** A request and its answer. */
export interface Exchange {
  readonly connection: number
  /** The time at which the request was whole, in milliseconds after the beginning of the recording. */
  readonly at: number
  /** Milliseconds until the answer was whole; null: no answer came. */
  readonly took: number | null
  readonly request: Buffer
  readonly answer: Buffer | null
}

/** The first message of a connection, where it is no request. */
export interface Start {
  readonly connection: number
  readonly start: Buffer
}

export interface Tape {
  readonly head: TapeHead
  readonly starts: readonly Start[]
  readonly exchanges: readonly Exchange[]
  /** Texts on parts that were not recorded, with the reasons. */
  readonly notes: readonly string[]
}

/** Control characters that make bytes no text. */
const CONTROLS = /(?![\r\n\t])\p{Cc}/u

type SentBytes = { readonly text: string } | { readonly bytes: string }

export function headLine(head: TapeHead): string {
  return line({ format: FORMAT, version: VERSION, ...head })
}

export function exchangeLine({ connection, at, took, request, answer }: Exchange): string {
  const sent = { request: written(request), answer: answer === null ? null : written(answer) }
  return line({ connection, at, took, ...sent })
}

export function startLine({ connection, start }: Start): string {
  return line({ connection, start: written(start) })
}

export function noteLine(connection: number, note: string): string {
  return line({ connection, note })
}

/** Reads a recording. Throws an Error that names the malformed line. */
export function readTape(text: string): Tape {
  const [first = '', ...lines] = text.split('\n')
  const head = parsed(first, 1) as Readonly<Record<string, unknown>>
  if (head['format'] !== FORMAT) throw new Error('this is no recording of tidegate record')
  if (head['version'] !== VERSION)
    throw new Error(
      `the recording has version ${String(head['version'])}; this Tidegate reads version ${VERSION}`,
    )
  const starts: Start[] = []
  const exchanges: Exchange[] = []
  const notes: string[] = []
  for (const [index, each] of lines.entries()) {
    if (each.trim() === '') continue
    const entry = parsed(each, index + 2) as Readonly<Record<string, unknown>>
    const connection = Number(entry['connection'])
    if ('note' in entry) notes.push(`connection ${connection}: ${String(entry['note'])}`)
    else if ('start' in entry) starts.push({ connection, start: read(entry['start'], index + 2) })
    else {
      const { at, took, answer } = entry as { at: number; took: number | null; answer: unknown }
      const request = read(entry['request'], index + 2)
      exchanges.push({
        connection,
        at,
        took,
        request,
        answer: answer === null ? null : read(answer, index + 2),
      })
    }
  }
  return { head: head as unknown as TapeHead, starts, exchanges, notes }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}

function parsed(text: string, number: number): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Reported below.
  }
  throw new Error(`line ${number} of the recording is no object of JSON`)
}

/** The bytes as text, if they have no control characters but line ends and tabs; else escaped. */
function written(bytes: Buffer): SentBytes {
  if (isUtf8(bytes)) {
    const text = bytes.toString()
    if (!CONTROLS.test(text)) return { text }
  }
  return { bytes: escapedText(bytes) }
}

function read(value: unknown, number: number): Buffer {
  const { text, bytes } = (value ?? {}) as { readonly text?: unknown; readonly bytes?: unknown }
  if (typeof text === 'string') return Buffer.from(text)
  if (typeof bytes === 'string') return unescapedText(bytes)
  throw new Error(`line ${number} of the recording has a message without text or bytes`)
}

/** Creates the file of a recording. Only its owner may read it, since rows and values may be secrets. Rejects where the file exists already. */
export async function createTapeFile(path: string): Promise<WriteStream> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await once(file, 'open')
  return file
}
