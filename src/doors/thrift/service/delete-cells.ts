import { EMPTY } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { MutationBatch } from '../../../model/mutation.ts'

/** Thrift 2's TDeleteType, in the order of its codes. */
export const DELETE_TYPES = [
  'DELETE_COLUMN',
  'DELETE_COLUMNS',
  'DELETE_FAMILY',
  'DELETE_FAMILY_VERSION',
] as const
export type DeleteType = (typeof DELETE_TYPES)[number]

/** Adds a tombstone to the mutation that is being built. The store refuses a tombstone of an empty family. */
export function appendDelete(
  batch: MutationBatch,
  type: DeleteType,
  row: Buffer,
  family: Buffer,
  qualifier: Buffer = EMPTY,
  timestamp?: bigint,
): void {
  // With an empty family, a tombstone of a family would delete the whole row. One of a column is refused by the store.
  if (family.length === 0) {
    batch.deleteColumn(row, family, qualifier, timestamp)
    return
  }
  switch (type) {
    case 'DELETE_COLUMN':
      batch.deleteVersion(row, family, qualifier, timestamp)
      break
    case 'DELETE_COLUMNS':
      batch.deleteColumn(row, family, qualifier, timestamp)
      break
    case 'DELETE_FAMILY':
      batch.deleteFamily(row, family, timestamp)
      break
    case 'DELETE_FAMILY_VERSION':
      if (timestamp === undefined) {
        throw new HBaseError(
          'ILLEGAL_ARGUMENT',
          'Timestamp is required for TDelete with DeleteFamilyVersion type',
        )
      }
      batch.deleteFamilyVersion(row, family, timestamp)
      break
  }
}
