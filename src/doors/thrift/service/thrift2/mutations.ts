/** Thrift 2's puts and deletes as mutations. HBase: thrift2.ThriftUtilities.putFromThrift, deleteFromThrift. */

import { HBaseError } from '../../../../model/errors.ts'
import type { MutationBatch } from '../../../../model/mutation.ts'
import { checkRow } from '../../../../model/query.ts'
import { appendDelete, DELETE_TYPES } from '../delete-cells.ts'
import { checkTimestamp, durabilityFromCode, mutationOptions } from '../mutation-arguments.ts'
import type { TColumn, TDelete, TPut } from './structs.ts'

/** Adds one mutation to the batch. Throws ILLEGAL_ARGUMENT. */
export function addPut(batch: MutationBatch, put: TPut): void {
  checkRow(put.row)
  checkTimestamp(put.timestamp)
  if (put.columnValues.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'No columns to insert')
  for (const { family, qualifier, value, timestamp } of put.columnValues) {
    if (family.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'Family cannot be null')
    batch.put(put.row, family, qualifier, value, timestamp ?? put.timestamp)
  }
  batch.endMutation(mutationOptions(durabilityFromCode(put.durability), put.attributes))
}

/** Adds one mutation to the batch, for the whole row where no column is stated. Throws ILLEGAL_ARGUMENT. */
export function addDelete(batch: MutationBatch, { row, columns, ...stated }: TDelete): void {
  checkRow(row)
  const type = DELETE_TYPES[stated.deleteType ?? 1] ?? 'DELETE_COLUMNS'
  if (columns === undefined) {
    checkTimestamp(stated.timestamp)
    batch.deleteRow(row, stated.timestamp)
  } else if (columns.length === 0) {
    batch.deleteRow(row)
  } else {
    for (const { family, qualifier, timestamp } of type === 'DELETE_FAMILY'
      ? lastOfFamilies(columns)
      : columns) {
      checkTimestamp(timestamp)
      appendDelete(batch, type, row, family, qualifier, timestamp)
    }
  }
  batch.endMutation(mutationOptions(durabilityFromCode(stated.durability), stated.attributes))
}

/**
 * QUIRK thrift2-delete-family-of-several-without-timestamp: HBase obeys only the last of several deletes of one family.
 * HBase: Delete.addFamily.
 */
function lastOfFamilies(columns: readonly TColumn[]): readonly TColumn[] {
  return columns.filter(
    ({ family }, index) => !columns.some((later, at) => at > index && later.family.equals(family)),
  )
}
