/**
 * A recording: lines of JSON that people can read. The first names the format and its version, the others are what happened, in the order in
 * which it ended. Bytes are text where they are text, else as HBase's shell shows bytes: `\xHH`.
 */

import { isUtf8 } from 'node:buffer'
import { escapedText, unescapedText } from '../wire/text/escaped-text.ts'
import type { ProtocolName } from './protocol.ts'

/** PERSISTED: never renumber. */
const VERSION = 1
const FORMAT = 'tidegate recording'

export interface TapeHead {
  readonly protocol: ProtocolName
  /** The server that was recorded: HOST:PORT. */
  readonly server: string
  /** When, as ISO 8601. */
  readonly begun: string
}

/** A request and its answer. */
export interface Exchange {
  readonly connection: number
  /** Milliseconds after the recording's begin at which the request was whole. */
  readonly at: number
  /** Milliseconds until its answer was whole; null: none came. */
  readonly took: number | null
  readonly request: Buffer
  readonly answer: Buffer | null
}

/** The first message of a connection that is no request. */
export interface Start {
  readonly connection: number
  readonly start: Buffer
}

export interface Tape {
  readonly head: TapeHead
  readonly starts: readonly Start[]
  readonly exchanges: readonly Exchange[]
  /** The parts that were not recorded, and why. */
  readonly notes: readonly string[]
}

/** Those that text does not have. */
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

/** Throws an Error that names the line. */
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
    // Told below.
  }
  throw new Error(`line ${number} of the recording is no object of JSON`)
}

/** Text has no other control characters than those of lines. */
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
