/** Thrift 2's puts and deletes as mutations. HBase: thrift2.ThriftUtilities.putFromThrift, deleteFromThrift. */

import { HBaseError } from '../../../../model/errors.ts'
import type { MutationBatch } from '../../../../model/mutation.ts'
import { checkRow } from '../../../../model/query.ts'
import { expressionMessage } from '../../../../wire/rpc/label-messages.ts'
import { appendDelete, DELETE_TYPES, type DeleteType } from '../delete-cells.ts'
import { checkTimestamp, durabilityFromCode, mutationOptions } from '../mutation-arguments.ts'
import { required } from '../required.ts'
import type { TCellVisibility, TColumn, TDelete, TPut } from './structs.ts'

/** Adds a put to the batch. Throws ILLEGAL_ARGUMENT. */
export function addPut(batch: MutationBatch, put: TPut): void {
  checkRow(put.row)
  checkTimestamp(put.timestamp)
  if (put.columnValues.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'No columns to insert')
  for (const { family, qualifier, value, timestamp } of put.columnValues) {
    if (family.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'Family cannot be null')
    batch.put(put.row, family, qualifier, value, timestamp ?? put.timestamp)
  }
  const visibility = visibilityOf(put.cellVisibility)
  batch.endMutation(mutationOptions(durabilityFromCode(put.durability), put.attributes, visibility))
}

/** Adds a delete to the batch. Without columns it deletes the whole row. Throws ILLEGAL_ARGUMENT. */
export function addDelete(batch: MutationBatch, { row, columns, ...stated }: TDelete): void {
  checkRow(row)
  if (columns === undefined) {
    checkTimestamp(stated.timestamp)
    batch.deleteRow(row, stated.timestamp)
  } else if (columns.length === 0) {
    batch.deleteRow(row)
  } else {
    const type = statedType(stated.deleteType)
    for (const { family, qualifier, timestamp } of type === 'DELETE_FAMILY'
      ? lastOfFamilies(columns)
      : columns) {
      checkTimestamp(timestamp)
      appendDelete(batch, type, row, family, qualifier, timestamp)
    }
  }
  batch.endMutation(mutationOptions(durabilityFromCode(stated.durability), stated.attributes))
}

/** The type of a delete. By the IDL's default, an absent one is DELETE_COLUMNS. An unknown one arrives as undefined. */
function statedType(code: number | undefined): DeleteType {
  const type = code === undefined ? undefined : DELETE_TYPES[code]
  if (type === undefined) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `deleteType must be one of ${DELETE_TYPES.join(', ')}`)
  }
  return type
}

/** The visibility attribute. Throws ILLEGAL_ARGUMENT where the expression is missing: the cells must not become visible to all users. */
export function visibilityOf(visibility: TCellVisibility | undefined): Buffer | undefined {
  if (visibility === undefined) return undefined
  return expressionMessage(required(visibility.expression, 'the expression of the cell visibility'))
}

/**
 * QUIRK thrift2-delete-family-of-several-without-timestamp: HBase obeys only the last of several deletes of one family.
 * HBase: Delete.addFamily.
 */
function lastOfFamilies(columns: readonly TColumn[]): readonly TColumn[] {
  const last = new Map(columns.map(({ family }, index) => [family.toString('latin1'), index]))
  return columns.filter(({ family }, index) => last.get(family.toString('latin1')) === index)
}
