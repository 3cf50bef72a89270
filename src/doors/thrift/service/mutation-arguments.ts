/** Arguments of writes beside their cells, and the checks that HBase's client makes before it sends a write. */

import type { Limits } from '../../../gateway/limits/limits.ts'
import { readInt32 } from '../../../model/bytes.ts'
import { timestampOffset } from '../../../model/cell.ts'
import { CELL_PREFIX_BYTES } from '../../../model/cell-block.ts'
import { checkPutSize } from '../../../model/cell-size-limit.ts'
import { type ErrorCode, HBaseError } from '../../../model/errors.ts'
import type { Durability, MutationBatch, MutationOptions } from '../../../model/mutation.ts'
import { readTimestamp } from '../../../model/timestamp.ts'
import { VISIBILITY_ATTRIBUTE } from '../../../wire/rpc/label-messages.ts'
import { DURABILITIES } from '../../../wire/thrift/put-reader.ts'

/** A map whose keys are binary. */
export type AttributeMap = readonly (readonly [Buffer, Buffer])[]

/** Time to live of a mutation's cells, in milliseconds, as 8 bytes. HBase: Mutation.OP_ATTRIBUTE_TTL. */
const TTL_ATTRIBUTE = Buffer.from('_ttl')

/**
 * The options of a mutation with these attributes.
 * `visibility`: value of the attribute for which Thrift 2 has a field.
 * QUIRK thrift1-mutate-row-attributes-f-a-b-attributes-some-thing: HBase ignores attributes that it does not know.
 */
export function mutationOptions(
  durability: Durability,
  attributes: AttributeMap | undefined,
  visibility?: Buffer,
): MutationOptions {
  if (visibility !== undefined) {
    const named = (attributes ?? []).filter(([name]) => name.toString() !== VISIBILITY_ATTRIBUTE)
    const labelled: AttributeMap = [...named, [Buffer.from(VISIBILITY_ATTRIBUTE), visibility]]
    return mutationOptions(durability, labelled)
  }
  if (attributes === undefined || attributes.length === 0) return { durability }
  const ttl = attributes.find(([name]) => name.equals(TTL_ATTRIBUTE))
  const others = attributes.filter((attribute) => attribute !== ttl)
  return {
    durability,
    ...(ttl && { ttlMs: parseTtl(ttl[1]) }),
    ...(others.length > 0 && {
      attributes: new Map(others.map(([name, value]) => [name.toString(), value])),
    }),
  }
}

function parseTtl(value: Buffer): number {
  if (value.length !== 8) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `the attribute _ttl must have 8 bytes, not ${value.length}`)
  }
  return Number(value.readBigInt64BE())
}

/** Thrift 2's TDurability. */
export function durabilityFromCode(code: number | undefined): Durability {
  return DURABILITIES[code ?? 0] ?? 'USE_DEFAULT'
}

/** Thrift 1's Mutation.writeToWAL. */
export function durabilityFromWal(writeToWal: boolean): Durability {
  return writeToWal ? 'SYNC_WAL' : 'SKIP_WAL'
}

/** Throws ILLEGAL_ARGUMENT with the message of HBase's Put and Delete. */
export function checkTimestamp(timestamp: bigint | undefined): void {
  if (timestamp !== undefined && timestamp < 0n) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `Timestamp cannot be negative. ts=${timestamp}`)
  }
}

/** Throws TOO_LARGE for a batch of more than `batchMax` mutations. */
export function checkBatchSize(size: number, batchMax: number): void {
  if (size > batchMax) {
    throw new HBaseError('TOO_LARGE', `${size} actions in one request, of at most ${batchMax}`)
  }
}

/**
 * Checks puts that came as cells. Throws TOO_LARGE for too many of them, the errors of checkPutSize, and an error with the code
 * `negativeTimestamp` for a negative timestamp.
 */
export function checkPuts(puts: MutationBatch, limits: Limits, negativeTimestamp: ErrorCode): void {
  checkBatchSize(puts.length, limits.batchMax)
  const { buffer, length } = puts.cells
  for (let at = 0; at < length; ) {
    const bytes = readInt32(buffer, at)
    checkPutSize(bytes, limits.cellBytesMax)
    at = checkCellTimestamp(buffer, at + CELL_PREFIX_BYTES, negativeTimestamp) + bytes
  }
}

/** Checks changes of a row as checkPuts does, but not the sizes of their cells: HBase's client does not check these, and the store does. */
export function checkRowChanges(changes: MutationBatch, limits: Limits): void {
  checkBatchSize(changes.length, limits.batchMax)
  const cells = changes.cells.block()
  for (let at = cells.start; at < cells.end; ) {
    at =
      checkCellTimestamp(cells.buffer, at + CELL_PREFIX_BYTES, 'DO_NOT_RETRY') + readInt32(cells.buffer, at)
  }
}

/** Throws an error with this code for a negative timestamp. Returns `cell`. */
function checkCellTimestamp(buffer: Buffer, cell: number, code: ErrorCode): number {
  const timestamp = timestampOffset(buffer, cell)
  if (buffer[timestamp]! < 0x80) return cell
  throw new HBaseError(code, `Timestamp cannot be negative. ts=${readTimestamp(buffer, timestamp)}`)
}
