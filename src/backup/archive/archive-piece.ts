/**
 * A piece of an archived log, as a file. It has a header, then entries, then an end:
 *
 *     piece  := magic "TIDEARC1" | part*
 *     part   := crc u32 | head u32 | body u32 | JSON of `head` bytes | `body` bytes     CRC32C of all behind it
 *
 * The JSON of the first part is a PieceHeader, that of an entry the entry without its bytes, that of the last part `{"kind":"end"}`.
 *
 * PERSISTED: a later version reads what an earlier one has written.
 */

import { areTexts, isJsonObject, jsonOf } from '../../model/json-values.ts'
import type { StreamEntry } from '../../store/log-streams.ts'
import { crc32c } from '../../wire/checksums/checksums.ts'

const MAGIC = Buffer.from('TIDEARC1', 'latin1')
/** crc, head and body. */
const PART_HEADER_BYTES = 12
const END = Buffer.from('{"kind":"end"}')
const NOTHING = Buffer.alloc(0)

export interface PieceHeader {
  readonly format: 1
  readonly clusterId: string
  /** The name of the stretch: see archived-logs.ts. */
  readonly stretch: string
  /** Numbers of the first and the last of the stretch's parts that the piece has. */
  readonly first: number
  readonly last: number
  /** Times of its first and its last entry. */
  readonly from: number
  readonly to: number
  /** The ids of the moments in it. */
  readonly moments: readonly string[]
}

/** The bytes of a piece. There is an entry at least. */
export function encodePiece(
  named: Pick<PieceHeader, 'clusterId' | 'stretch' | 'first' | 'last'>,
  entries: readonly StreamEntry[],
): Buffer[] {
  const moments = entries.flatMap((entry) => (entry.kind === 'moment' ? [entry.id] : []))
  const times = { from: entries[0]!.at, to: entries.at(-1)!.at }
  const header: PieceHeader = { format: 1, ...named, ...times, moments }
  const buffers = [MAGIC, ...part(Buffer.from(JSON.stringify(header)), NOTHING)]
  for (const entry of entries) {
    if ('bytes' in entry) {
      const { bytes, ...head } = entry
      buffers.push(...part(Buffer.from(JSON.stringify(head)), bytes))
    } else buffers.push(...part(Buffer.from(JSON.stringify(entry)), NOTHING))
  }
  buffers.push(...part(END, NOTHING))
  return buffers
}

function part(head: Buffer, body: Buffer): Buffer[] {
  const front = Buffer.alloc(PART_HEADER_BYTES)
  front.writeUInt32BE(head.length, 4)
  front.writeUInt32BE(body.length, 8)
  front.writeUInt32BE(crc32c(body, crc32c(head, crc32c(front.subarray(4)))), 0)
  return body.length === 0 ? [front, head] : [front, head, body]
}

export interface Piece {
  readonly header: PieceHeader
  readonly entries: readonly StreamEntry[]
  /** The damage behind these entries; undefined for a whole piece. */
  readonly fault: string | undefined
}

/** The header of a piece, of which these are the first bytes. Throws an Error where it is not whole, or where a newer version has written it. */
export function decodeHeader(bytes: Buffer): { readonly header: PieceHeader; readonly end: number } {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('it is no piece of an archived log')
  const first = partAt(bytes, MAGIC.length)
  const header = first && jsonOf(first.head.toString())
  if (isJsonObject(header) && typeof header['format'] === 'number' && header['format'] > 1)
    throw new Error(`a newer version of Tidegate has written it (format ${header['format']})`)
  if (first === undefined || !isHeader(header)) throw new Error('its header is damaged')
  return { header, end: first.end }
}

/** Reads a piece as far as it is whole. Throws as decodeHeader. */
export function decodePiece(bytes: Buffer): Piece {
  const { header, end } = decodeHeader(bytes)
  const entries: StreamEntry[] = []
  for (let at = end; ; ) {
    const next = partAt(bytes, at)
    if (next === undefined) return { header, entries, fault: `it is damaged at byte ${at}` }
    if (next.head.equals(END)) {
      const fault = next.end === bytes.length ? undefined : `more bytes follow its end at byte ${next.end}`
      return { header, entries, fault }
    }
    const entry = entryOf(jsonOf(next.head.toString()), next.body)
    if (entry === undefined) return { header, entries, fault: `it has no entry at byte ${at}` }
    entries.push(entry)
    at = next.end
  }
}

interface Part {
  readonly head: Buffer
  readonly body: Buffer
  readonly end: number
}

/** Undefined where no whole part begins at `at`. */
function partAt(bytes: Buffer, at: number): Part | undefined {
  const head = at + PART_HEADER_BYTES
  if (bytes.length < head) return undefined
  const body = head + bytes.readUInt32BE(at + 4)
  const end = body + bytes.readUInt32BE(at + 8)
  if (end > bytes.length || crc32c(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(at)) return undefined
  return { head: bytes.subarray(head, body), body: bytes.subarray(body, end), end }
}

function isHeader(value: unknown): value is PieceHeader {
  if (!isJsonObject(value)) return false
  const { format, clusterId, stretch, first, last, from, to, moments } = value
  const isNamed = typeof clusterId === 'string' && typeof stretch === 'string' && areTexts(moments)
  return format === 1 && isNamed && [first, last, from, to].every(Number.isSafeInteger)
}

function entryOf(head: unknown, bytes: Buffer): StreamEntry | undefined {
  if (!isJsonObject(head)) return undefined
  const { kind, at, log, offset, id, table } = head
  if (typeof at !== 'number' || !Number.isSafeInteger(at)) return undefined
  switch (kind) {
    case 'records':
      return typeof log === 'number' && typeof offset === 'number'
        ? { kind, at, log, offset, bytes }
        : undefined
    case 'change':
      return { kind, at, bytes }
    case 'moment':
      return typeof id === 'string' ? { kind, at, id } : undefined
    case 'unlogged':
      return typeof table === 'string' ? { kind, at, table } : undefined
    default:
      return undefined
  }
}
