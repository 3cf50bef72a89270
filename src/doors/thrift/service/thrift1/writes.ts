/** Thrift 1's puts and deletes. */

import { setTimeout as sleep } from 'node:timers/promises'
import { EMPTY } from '../../../../model/bytes.ts'
import { splitColumn } from '../../../../model/column-name.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { eachInTurns } from '../../../../model/many-a-turn.ts'
import { MutationBatch, type MutationOptions } from '../../../../model/mutation.ts'
import { checkRow } from '../../../../model/query.ts'
import type { TableName } from '../../../../model/table-name.ts'
import { LATEST_TIMESTAMP } from '../../../../model/timestamp.ts'
import { type Call, toTheEnd } from '../../../../store/call.ts'
import type { Rows } from '../../../../store/rows.ts'
import { RowMutations } from '../../../../wire/thrift/row-mutations-reader.ts'
import type { ThriftHandlers } from '../../contract/thrift-service.ts'
import { mutateAll, mutateOne } from '../batch-error.ts'
import { appendDelete } from '../delete-cells.ts'
import {
  type AttributeMap,
  checkBatchSize,
  checkPuts,
  checkTimestamp,
  durabilityFromWal,
  mutationOptions,
} from '../mutation-arguments.ts'
import { required } from '../required.ts'
import { tableNameFromBytes } from '../table-argument.ts'
import type { Thrift1Context } from './thrift1-context.ts'

interface Mutation {
  readonly isDelete: boolean
  readonly column?: Buffer
  readonly value?: Buffer
  readonly writeToWAL: boolean
}
interface BatchMutation {
  readonly row?: Buffer
  readonly mutations?: readonly Mutation[]
}
interface Common {
  readonly tableName?: Buffer
  readonly attributes?: AttributeMap
  readonly timestamp?: bigint
}
interface RowArguments extends Common {
  readonly row?: Buffer
}
interface MutateRowArguments extends RowArguments {
  readonly mutations?: readonly Mutation[] | RowMutations
}
interface MutateRowsArguments extends Common {
  readonly rowBatches?: readonly BatchMutation[] | RowMutations
}
interface DeleteAllArguments extends RowArguments {
  readonly column?: Buffer
}

export function thrift1Writes({ store: { rows }, limits }: Thrift1Context): ThriftHandlers {
  const mutateRow = (args: MutateRowArguments, call: Call): Promise<void> => {
    const table = tableNameFromBytes(args.tableName)
    const { mutations, timestamp } = args
    if (mutations instanceof RowMutations) {
      const { puts, deletes } = mutations
      checkBatchSize(puts.length + deletes.length, limits.batchMax)
      checkPuts(puts, limits, 'ILLEGAL_ARGUMENT')
      return inTurn(rows, table, mutations, timestamp, call)
    }
    const changes = new Changes(args)
    changes.addRow(required(args.row, 'the row'), required(mutations, 'the list of mutations'), false)
    checkPuts(changes.puts, limits, 'ILLEGAL_ARGUMENT')
    return inTurn(rows, table, changes, timestamp, call)
  }

  const mutateRows = async ({ tableName, ...common }: MutateRowsArguments, call: Call) => {
    const table = tableNameFromBytes(tableName)
    const rowBatches = required(common.rowBatches, 'the list of rows')
    if (rowBatches instanceof RowMutations) {
      const batch = putsBeforeDeletes(rowBatches)
      checkPuts(batch, limits, 'ILLEGAL_ARGUMENT')
      return mutateAll(rows, table, batch, call)
    }
    checkBatchSize(rowBatches.length, limits.batchMax)
    const changes = new Changes(common)
    await eachInTurns(rowBatches, ({ row, mutations }) =>
      changes.addRow(required(row, 'the row'), required(mutations, 'the list of mutations'), true),
    )
    checkPuts(changes.puts, limits, 'ILLEGAL_ARGUMENT')
    await mutateAll(rows, table, changes.puts, call)
    return mutateAll(rows, table, changes.deletes, toTheEnd(call))
  }

  const deleteAll = async (
    { tableName, row, column, attributes, timestamp }: DeleteAllArguments,
    call: Call,
  ) => {
    checkTimestamp(timestamp)
    const batch = new MutationBatch()
    const { family, qualifier } = splitColumn(required(column, 'the column'))
    const type = qualifier === undefined ? 'DELETE_FAMILY' : 'DELETE_COLUMNS'
    appendDelete(batch, type, required(row, 'the row'), family, qualifier ?? EMPTY, timestamp)
    batch.endMutation(mutationOptions('USE_DEFAULT', attributes))
    return mutateOne(rows, tableNameFromBytes(tableName), batch, call)
  }

  const deleteAllRow = async ({ tableName, row, attributes, timestamp }: RowArguments, call: Call) => {
    checkTimestamp(timestamp)
    const batch = new MutationBatch().deleteRow(required(row, 'the row'), timestamp)
    batch.endMutation(mutationOptions('USE_DEFAULT', attributes))
    return mutateOne(rows, tableNameFromBytes(tableName), batch, call)
  }

  return {
    mutateRow,
    mutateRowTs: mutateRow,
    mutateRows,
    mutateRowsTs: mutateRows,
    deleteAll,
    deleteAllTs: deleteAll,
    deleteAllRow,
    deleteAllRowTs: deleteAllRow,
  }
}

/** The puts and the deletes of a request, in two batches. HBase: ThriftHBaseServiceHandler.mutateRowsTs. */
class Changes {
  readonly puts = new MutationBatch()
  readonly deletes = new MutationBatch()
  readonly #timestamp: bigint
  readonly #attributes: AttributeMap | undefined

  constructor({ timestamp, attributes }: Common) {
    checkTimestamp(timestamp)
    this.#timestamp = timestamp ?? LATEST_TIMESTAMP
    this.#attributes = attributes
  }

  /**
   * QUIRK thrift1-mutate-bare-family: HBase skips a put without a qualifier in mutateRow and mutateRowTs.
   * QUIRK thrift1-batch-mutate-rows-b-f-x: HBase refuses it in mutateRows and mutateRowsTs, where `strict` is set.
   * The last put decides whether all puts of the row are logged, the last delete the same for deletes.
   */
  addRow(row: Buffer, mutations: readonly Mutation[], strict: boolean): void {
    checkRow(row)
    let putOptions: MutationOptions | undefined
    let deleteOptions: MutationOptions | undefined
    for (const { isDelete, column, value, writeToWAL } of mutations) {
      const { family, qualifier } = splitColumn(required(column, 'the column of a mutation'))
      const options = mutationOptions(durabilityFromWal(writeToWAL), this.#attributes)
      if (isDelete) {
        const type = qualifier === undefined ? 'DELETE_FAMILY' : 'DELETE_COLUMNS'
        appendDelete(this.deletes, type, row, family, qualifier ?? EMPTY, this.#timestamp)
        deleteOptions = options
      } else if (qualifier !== undefined) {
        if (family.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'Family cannot be null')
        this.puts.put(row, family, qualifier, value ?? EMPTY, this.#timestamp)
        putOptions = options
      } else if (strict) {
        throw new HBaseError('ILLEGAL_ARGUMENT', 'Invalid famAndQf provided.')
      }
    }
    if (putOptions !== undefined) this.puts.endMutation(putOptions)
    if (deleteOptions !== undefined) this.deletes.endMutation(deleteOptions)
  }
}

/**
 * Applies the deletes of a row, then its puts. A tombstone hides cells of its own timestamp, even those of later puts. HBase's gateway spends
 * more than a millisecond between the two, and clients rely on the put being newer: hence the pause.
 */
function inTurn(
  rows: Rows,
  table: TableName,
  changes: RowChanges,
  timestamp: bigint | undefined,
  call: Call,
): Promise<void> {
  const { deletes, puts } = changes
  if (deletes.length === 0) return mutateOne(rows, table, puts, call)
  return deletesFirst(rows, table, changes, timestamp, call)
}

interface RowChanges {
  readonly deletes: MutationBatch
  readonly puts: MutationBatch
}

async function deletesFirst(
  rows: Rows,
  table: TableName,
  { deletes, puts }: RowChanges,
  timestamp: bigint | undefined,
  call: Call,
): Promise<void> {
  await mutateOne(rows, table, deletes, call)
  if (puts.length > 0 && (timestamp ?? LATEST_TIMESTAMP) === LATEST_TIMESTAMP) await sleep(2)
  await mutateOne(rows, table, puts, toTheEnd(call))
}

/** The mutations of many rows in the order of HBase's gateway: the puts of all rows, then the deletes. */
function putsBeforeDeletes({ puts, deletes }: RowMutations): MutationBatch {
  if (deletes.length > 0) puts.append(deletes)
  return puts
}
