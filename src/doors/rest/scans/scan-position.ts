/**
 * Where a scan stands after an answer, as a token that any gateway on the same store goes on from. The token keeps no
 * memory in the server: it says which scan it is of and the last row, or the last cell of a row that goes on.
 *
 *     version u8 = 1 | scan 8 bytes | flags u8 | remaining u32 if flagged | rowLength u16 | row
 *     | if flagged: familyLength u8 | family | timestamp 8 bytes | type u8 | qualifier
 *     | check 8 bytes, the first of SHA-256 of all before
 *
 * PERSISTED: never renumber. Clients hold tokens across versions of the server. A token is no secret and grants nothing.
 */

import { createHash } from 'node:crypto'
import { EMPTY } from '../../../model/bytes.ts'
import { type CellParts, cellBytes, writeCell } from '../../../model/cell.ts'
import { timestampHigh, timestampLow } from '../../../model/timestamp.ts'
import { Refusal } from '../http/errors.ts'

const VERSION = 1
const DIGEST_BYTES = 8
const IN_ROW = 1
const HAS_REMAINING = 2
const TOKEN = /^[\w-]+$/

export interface ScanPosition {
  /** The last row of which the client has cells. */
  readonly row: Buffer
  /** The client's last cell as a KeyValue without a value; undefined where the client has the whole row. */
  readonly cell: Buffer | undefined
  /** Results that the scan may still return; undefined where its answers have no common limit. */
  readonly remaining: number | undefined
}

type CellKey = Omit<CellParts, 'value'>

/** `last`: the client's last cell; `inRow`: true where its row continues. */
export function positionAfter(last: CellKey, inRow: boolean, remaining: number | undefined): ScanPosition {
  return { row: Buffer.from(last.row), cell: inRow ? keyCell(last) : undefined, remaining }
}

function keyCell({ row, family, qualifier, timestamp, type }: CellKey): Buffer {
  const cell = Buffer.alloc(cellBytes(row.length, family.length, qualifier.length, 0))
  const [high, low] = [timestampHigh(timestamp), timestampLow(timestamp)]
  writeCell(cell, 0, row, family, qualifier, high, low, type, EMPTY)
  return cell
}

/** The hash of a scan's parameters, which its tokens contain. */
export function scanDigest(texts: readonly string[]): Buffer {
  return digest(Buffer.from(JSON.stringify(texts)))
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, DIGEST_BYTES)
}

export function writeToken(scan: Buffer, { row, cell, remaining }: ScanPosition): string {
  const head = Buffer.alloc(2)
  head[0] = VERSION
  head[1] = (cell === undefined ? 0 : IN_ROW) | (remaining === undefined ? 0 : HAS_REMAINING)
  const parts = [head.subarray(0, 1), scan, head.subarray(1)]
  if (remaining !== undefined) parts.push(int32(remaining))
  parts.push(Buffer.of(row.length >>> 8, row.length & 0xff), row)
  if (cell !== undefined) parts.push(cellTail(cell, row.length))
  const token = Buffer.concat(parts)
  return Buffer.concat([token, digest(token)]).toString('base64url')
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The key of a KeyValue without its row: family, timestamp and type, then the qualifier. */
function cellTail(cell: Buffer, rowLength: number): Buffer {
  const familyAt = 10 + rowLength
  const qualifierAt = familyAt + 1 + cell[familyAt]!
  const timestampAt = cell.length - 9
  const family = cell.subarray(familyAt, qualifierAt)
  return Buffer.concat([family, cell.subarray(timestampAt), cell.subarray(qualifierAt, timestampAt)])
}

/** Throws Refusal 400 for a damaged token, and for a token of another scan, store or version. */
export function readToken(text: string, scan: Buffer): ScanPosition {
  const bytes = TOKEN.test(text) ? Buffer.from(text, 'base64url') : EMPTY
  const length = bytes.length - DIGEST_BYTES
  const token = bytes.subarray(0, Math.max(length, 0))
  const isWhole = length > 0 && digest(token).equals(bytes.subarray(length))
  if (!isWhole || bytes.toString('base64url') !== text) throw refused('is damaged')
  if (token[0] !== VERSION) throw refused('belongs to another version of Tidegate')
  const reader = new TokenReader(token.subarray(1))
  if (!reader.take(DIGEST_BYTES).equals(scan)) throw refused('belongs to another scan or another store')
  const flags = reader.take(1)[0]!
  const remaining = (flags & HAS_REMAINING) === 0 ? undefined : reader.take(4).readUInt32BE()
  const row = reader.take(reader.take(2).readUInt16BE())
  const cell = (flags & IN_ROW) === 0 ? undefined : readCell(reader, row)
  if (reader.rest > 0 || row.length === 0) throw refused('is damaged')
  return { row, cell, remaining }
}

function readCell(reader: TokenReader, row: Buffer): Buffer {
  const family = reader.take(reader.take(1)[0]!)
  const timestamp = reader.take(8).readBigInt64BE()
  const type = reader.take(1)[0]!
  return keyCell({ row, family, qualifier: reader.take(reader.rest), timestamp, type })
}

function refused(why: string): Refusal {
  return new Refusal(400, `the token ${why}: start the scan again`)
}

/** Reads a token from its start. It checks each length, because a client can forge a token with a valid hash. */
class TokenReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get rest(): number {
    return this.#bytes.length - this.#at
  }

  take(length: number): Buffer {
    if (length > this.rest) throw refused('is damaged')
    const taken = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return taken
  }
}
