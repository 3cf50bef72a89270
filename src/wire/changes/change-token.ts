/**
 * Tokens of the change feed: a place in the changes of one store, for clients who go on there. Clients must not look into them.
 *
 *     token := base64url(version u8 | store 8 bytes | position u64 | (rows u32 | digest 4 bytes)? | check 4 bytes)
 *
 * PERSISTED by clients: another form needs another version.
 */

import { createHash } from 'node:crypto'
import { EMPTY } from '../../model/bytes.ts'

/** A place in the changes of a store. */
export interface FeedPlace {
  /** All changes up to this sequence id were handed out. */
  readonly position: number
  /** Rows of the next change that were handed out, too. */
  readonly rows: number
  /** The digest of their keys: see DeliveredRows. Empty where there are none. */
  readonly digest: Buffer
}

export type ReadToken =
  | { readonly kind: 'place'; readonly place: FeedPlace }
  /** Of the changes of another store. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'malformed' }

const VERSION = 1
const STORE_BYTES = 8
const HEAD_BYTES = 1 + STORE_BYTES + 8
const DIGEST_BYTES = 4
const ROWS_BYTES = 4 + DIGEST_BYTES
const CHECK_BYTES = 4
const PLAIN_BYTES = HEAD_BYTES + CHECK_BYTES
const FULL_BYTES = HEAD_BYTES + ROWS_BYTES + CHECK_BYTES
const TOKEN = /^[\w-]{28,40}$/

export function placeBehind(position: number): FeedPlace {
  return { position, rows: 0, digest: EMPTY }
}

/** Writes and reads the tokens of one store. */
export class ChangeTokens {
  readonly #store: Buffer

  constructor(clusterId: string) {
    this.#store = digestOf(clusterId, STORE_BYTES)
  }

  text({ position, rows, digest }: FeedPlace): string {
    const bytes = Buffer.alloc(rows === 0 ? PLAIN_BYTES : FULL_BYTES)
    bytes[0] = VERSION
    this.#store.copy(bytes, 1)
    bytes.writeBigUInt64BE(BigInt(position), 1 + STORE_BYTES)
    if (rows > 0) {
      bytes.writeUInt32BE(rows, HEAD_BYTES)
      digest.copy(bytes, HEAD_BYTES + 4)
    }
    const end = bytes.length - CHECK_BYTES
    digestOf(bytes.subarray(0, end), CHECK_BYTES).copy(bytes, end)
    return bytes.toString('base64url')
  }

  read(text: string): ReadToken {
    const bytes = TOKEN.test(text) ? Buffer.from(text, 'base64url') : EMPTY
    if (!isWhole(bytes) || bytes.toString('base64url') !== text) return { kind: 'malformed' }
    const position = Number(bytes.readBigUInt64BE(1 + STORE_BYTES))
    if (!Number.isSafeInteger(position)) return { kind: 'malformed' }
    if (!bytes.subarray(1, 1 + STORE_BYTES).equals(this.#store)) return { kind: 'foreign' }
    if (bytes.length === PLAIN_BYTES) return { kind: 'place', place: placeBehind(position) }
    const rows = bytes.readUInt32BE(HEAD_BYTES)
    const digest = bytes.subarray(HEAD_BYTES + 4, HEAD_BYTES + ROWS_BYTES)
    return { kind: 'place', place: { position, rows, digest } }
  }
}

function isWhole(bytes: Buffer): boolean {
  if ((bytes.length !== PLAIN_BYTES && bytes.length !== FULL_BYTES) || bytes[0] !== VERSION) return false
  const end = bytes.length - CHECK_BYTES
  return digestOf(bytes.subarray(0, end), CHECK_BYTES).equals(bytes.subarray(end))
}

/**
 * The rows of one change that were handed out so far. Their digest says whether a change that is read again has the same first rows: it may have
 * others where the client asks for other columns now, or may see other cells.
 */
export class DeliveredRows {
  rows = 0
  digest: Buffer

  /** `sequenceId`: of the change. A token of another change's rows must never count for this one's. */
  constructor(sequenceId: number) {
    this.digest = digestOf(String(sequenceId), DIGEST_BYTES)
  }

  add(row: Buffer): void {
    this.rows++
    this.digest = digestOf(this.digest, DIGEST_BYTES, row)
  }
}

function digestOf(bytes: Buffer | string, length: number, more: Buffer = EMPTY): Buffer {
  return createHash('sha256').update(bytes).update(more).digest().subarray(0, length)
}
