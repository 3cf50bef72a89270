/** Rows of some 1 KB whose keys come in random order and whose values do not compress: user data as HBase has it. */

import { MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'

export const NAME = 'sizes'
export const TABLE: TableName = parseTableName(NAME)
const [FAMILY, QUALIFIER] = [Buffer.from('f'), Buffer.from('profile')]

export const GB = 1e9
/** A batch of a client: some 1 MB. */
export const BATCH_ROWS = 1000
const VALUE_BYTES_MIN = 500
const VALUE_BYTES_SPREAD = 1001
const KEY_BYTES = 12
/** Of key and value, on average: what `put` counts. */
const ROW_BYTES = KEY_BYTES + VALUE_BYTES_MIN + (VALUE_BYTES_SPREAD - 1) / 2
const POOL_BYTES = 16 * 1024 * 1024

/** A permutation of the numbers below 2^32. MurmurHash3: fmix32. */
function mixed(number: number): number {
  let hash = number | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

let pool: Buffer | undefined

/** Bytes without a pattern, the same in every process. */
function randomPool(): Buffer {
  if (pool !== undefined) return pool
  pool = Buffer.allocUnsafe(POOL_BYTES)
  for (let i = 0; i < POOL_BYTES; i += 4) pool.writeUInt32LE(mixed(i + 1), i)
  return pool
}

/** Number of rows whose keys and values have so many GB. */
export function rowsOf(gigabytes: number): number {
  return Math.round((gigabytes * GB) / ROW_BYTES / BATCH_ROWS) * BATCH_ROWS
}

export function keyText(row: number): string {
  return `user${mixed(row).toString(16).padStart(8, '0')}`
}

export function keyOf(row: number): Buffer {
  return Buffer.from(keyText(row), 'latin1')
}

/** Must not be changed: it is part of what all values share. */
export function valueOf(row: number): Buffer {
  const bytes = VALUE_BYTES_MIN + (mixed(row ^ 0x5bd1e995) % VALUE_BYTES_SPREAD)
  const at = mixed(row ^ 0x27d4eb2f) % (POOL_BYTES - VALUE_BYTES_MIN - VALUE_BYTES_SPREAD)
  return randomPool().subarray(at, at + bytes)
}

/** Rows of these numbers, and the bytes of their keys and values. */
export function batchOf(numbers: Iterable<number>): {
  readonly batch: MutationBatch
  readonly bytes: number
} {
  const batch = new MutationBatch()
  let bytes = 0
  for (const row of numbers) {
    const value = valueOf(row)
    bytes += KEY_BYTES + value.length
    batch.put(keyOf(row), FAMILY, QUALIFIER, value).endMutation()
  }
  return { batch, bytes }
}

/** Numbers from `first` up to and without `end`. */
export function* numbersFrom(first: number, end: number): Generator<number> {
  for (let row = first; row < end; row++) yield row
}

/** `count` numbers below `rows`, the same in every process for the same seed. */
export function randomRows(rows: number, count: number, seed: number): number[] {
  return Array.from({ length: count }, (_, i) => mixed(i + seed * 0x01000193) % rows)
}
