/** What clients say about writes besides their cells, and what HBase's client checks before it sends them. */

import type { Limits } from '../../../gateway/limits.ts'
import { readInt32 } from '../../../model/bytes.ts'
import { timestampOffset, valueLength } from '../../../model/cell.ts'
import { CELL_PREFIX_BYTES } from '../../../model/cell-block.ts'
import { type ErrorCode, HBaseError } from '../../../model/errors.ts'
import type { Durability, MutationBatch, MutationOptions } from '../../../model/mutation.ts'
import { readTimestamp } from '../../../model/timestamp.ts'

/** A map whose keys are binary. */
export type AttributeMap = readonly (readonly [Buffer, Buffer])[]

/** Milliseconds that the cells of a mutation live, as 8 bytes. HBase: Mutation.OP_ATTRIBUTE_TTL. */
const TTL_ATTRIBUTE = Buffer.from('_ttl')

/** The options of a mutation with these attributes. A store passes over attributes that it does not know, as HBase does. */
export function mutationOptions(
  durability: Durability,
  attributes: AttributeMap | undefined,
): MutationOptions {
  if (attributes === undefined || attributes.length === 0) return { durability }
  const ttl = attributes.find(([name]) => name.equals(TTL_ATTRIBUTE))
  const others = attributes.filter((attribute) => attribute !== ttl)
  return {
    durability,
    ...(ttl && { ttlMs: ttlOf(ttl[1]) }),
    ...(others.length > 0 && {
      attributes: new Map(others.map(([name, value]) => [name.toString(), value])),
    }),
  }
}

function ttlOf(value: Buffer): number {
  if (value.length !== 8) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `the attribute _ttl must have 8 bytes, not ${value.length}`)
  }
  return Number(value.readBigInt64BE())
}

const DURABILITIES: readonly Durability[] = ['USE_DEFAULT', 'SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL']

/** Thrift 2's TDurability. */
export function durabilityOf(code: number | undefined): Durability {
  return DURABILITIES[code ?? 0] ?? 'USE_DEFAULT'
}

/** Thrift 1's Mutation.writeToWAL. */
export function durabilityOfWal(writeToWal: boolean): Durability {
  return writeToWal ? 'SYNC_WAL' : 'SKIP_WAL'
}

/** Throws ILLEGAL_ARGUMENT, with the words of HBase's Put and Delete. */
export function checkTimestamp(timestamp: bigint | undefined): void {
  if (timestamp !== undefined && timestamp < 0n) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `Timestamp cannot be negative. ts=${timestamp}`)
  }
}

/** Throws TOO_LARGE. */
export function checkBatchSize(size: number, batchMax: number): void {
  if (size > batchMax) {
    throw new HBaseError('TOO_LARGE', `${size} actions in one request, of at most ${batchMax}`)
  }
}

/** Throws TOO_LARGE. */
export function checkValueSize(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) {
    throw new HBaseError(
      'TOO_LARGE',
      `KeyValue size too large: a value of ${bytes} bytes, of at most ${bytesMax}`,
    )
  }
}

/**
 * Checks puts that came as cells: not too many of them and no value above the limit (TOO_LARGE), no negative timestamp
 * (the given code).
 */
export function checkPuts(puts: MutationBatch, limits: Limits, negativeTimestamp: ErrorCode): void {
  checkBatchSize(puts.length, limits.batchMax)
  const { buffer, length } = puts.cells
  for (let at = 0; at < length; ) {
    const cell = at + CELL_PREFIX_BYTES
    const timestamp = timestampOffset(buffer, cell)
    checkValueSize(valueLength(buffer, cell), limits.cellBytesMax)
    if (buffer[timestamp]! >= 0x80) {
      throw new HBaseError(
        negativeTimestamp,
        `Timestamp cannot be negative. ts=${readTimestamp(buffer, timestamp)}`,
      )
    }
    at = cell + readInt32(buffer, at)
  }
}
