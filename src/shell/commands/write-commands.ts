import { toStringBinary } from '../../model/bytes.ts'
import { CellType } from '../../model/cell.ts'
import { CellBlockBuilder } from '../../model/cell-block.ts'
import { META_TABLE } from '../../model/meta-table.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  type MutationAttributes,
  MutationBatch,
  type MutationOptions,
  type RowOperation,
} from '../../model/mutation.ts'
import { checkRow } from '../../model/query.ts'
import type { TableName } from '../../model/table-name.ts'
import { LATEST_TIMESTAMP, timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { expressionMessage, VISIBILITY_ATTRIBUTE } from '../../wire/rpc/label-messages.ts'
import { hashOf, int32Of, int64Of, tableOf } from '../arguments/argument-values.ts'
import { prefixScan } from '../arguments/read-options.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { resultCells, scannedRows } from '../context/scanned-rows.ts'
import { namedColumn } from '../output/columns.ts'
import { refuse } from '../output/shell-error.ts'
import { bytesOf, isTrue, RubyHash, textOf, type Value } from '../ruby/values.ts'
import { counterText } from './read-commands.ts'

export const WRITE_COMMANDS: readonly ShellCommand[] = [
  { name: 'put', min: 4, max: 6, ofTable: true, run: put },
  {
    name: 'delete',
    min: 3,
    max: 5,
    ofTable: true,
    run: (context, args) => deleteCells(context, args, false),
  },
  {
    name: 'deleteall',
    min: 2,
    max: 5,
    ofTable: true,
    run: (context, args) => deleteCells(context, args, true),
  },
  { name: 'incr', min: 3, max: 5, ofTable: true, run: incr },
  { name: 'append', min: 4, max: 5, ofTable: true, run: append },
]

const EMPTY = Buffer.alloc(0)
/** The number of rows of a deletion by a prefix that go to the servers together. */
const PREFIX_ROWS = 100

async function put(context: CommandContext, args: readonly Value[]): Promise<void> {
  const [named, row, column, value, time, more] = args
  const table = tableOf(named)
  // The options may stand in the place of the timestamp.
  const given = time instanceof RubyHash ? time.merged(hashOf(more)) : hashOf(more)
  const timestamp = time instanceof RubyHash || !isTrue(time) ? undefined : int64Of(time!, 'the timestamp')
  const { family, qualifier } = namedColumn(column!)
  const batch = new MutationBatch()
  batch.put(bytesOf(row!), family, qualifier ?? EMPTY, bytesOf(value!), timestamp)
  batch.endMutation(mutationOptions(given))
  await apply(context, table, batch)
}

/** Deletes a row, a family or a column. `all`: all versions of a column; otherwise one version. */
async function deleteCells(context: CommandContext, args: readonly Value[], all: boolean): Promise<void> {
  const [named, row, column = null, time, more] = args
  const table = tableOf(named)
  const given = time instanceof RubyHash ? time.merged(hashOf(more)) : hashOf(more)
  const options = mutationOptions(given)
  const timestamp =
    time instanceof RubyHash || !isTrue(time) ? LATEST_TIMESTAMP : int64Of(time!, 'the timestamp')
  const deletion = { column, timestamp, all, options }
  if (!(row instanceof RubyHash)) {
    const batch = new MutationBatch()
    addDeletion(batch, bytesOf(row!), deletion)
    return apply(context, table, batch)
  }
  if (table === META_TABLE) refuse('deleteall with ROWPREFIXFILTER in hbase:meta is not allowed.')
  await deletePrefix(context, table, row, deletion)
}

interface Deletion {
  readonly column: Value
  readonly timestamp: bigint
  readonly all: boolean
  readonly options: MutationOptions
}

async function deletePrefix(
  context: CommandContext,
  table: TableName,
  rows: RubyHash,
  deletion: Deletion,
): Promise<void> {
  const prefix = rows.get('ROWPREFIXFILTER')
  if (!isTrue(prefix)) refuse('a Hash in place of the row must have ROWPREFIXFILTER')
  const rowsMax = isTrue(rows.get('CACHE')) ? int32Of(rows.get('CACHE')!, 'CACHE') : PREFIX_ROWS
  let batch = new MutationBatch()
  for await (const [cell] of scannedRows(context, table, prefixScan(bytesOf(prefix!)))) {
    addDeletion(batch, cell!.row, deletion)
    if (batch.length < rowsMax) continue
    await apply(context, table, batch)
    batch = new MutationBatch()
  }
  if (batch.length > 0) await apply(context, table, batch)
}

function addDeletion(batch: MutationBatch, row: Buffer, { column, timestamp, all, options }: Deletion): void {
  if (column === null || bytesOf(column).length === 0) batch.deleteRow(row, timestamp)
  else {
    const { family, qualifier } = namedColumn(column)
    if (qualifier === undefined && all) batch.deleteFamily(row, family, timestamp)
    else if (qualifier === undefined) batch.deleteFamilyVersion(row, family, timestamp)
    else if (all) batch.deleteColumn(row, family, qualifier, timestamp)
    else batch.deleteVersion(row, family, qualifier, timestamp)
  }
  batch.endMutation(options)
}

async function incr(context: CommandContext, args: readonly Value[]): Promise<void> {
  const [named, row, column, given, more] = args
  const amount = given instanceof RubyHash || !isTrue(given) ? 1n : int64Of(given!, 'the amount')
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(amount)
  const options = given instanceof RubyHash ? given : hashOf(more)
  const value = await changed(context, 'increment', [named!, row!, column!, bytes], options)
  context.out.line(counterText(value))
}

async function append(context: CommandContext, args: readonly Value[]): Promise<void> {
  const [named, row, column, suffix, more] = args
  const value = await changed(context, 'append', [named!, row!, column!, bytesOf(suffix!)], hashOf(more))
  if (value !== undefined) context.out.line(`CURRENT VALUE = ${toStringBinary(value)}`)
}

/** Increments or appends. Resolves to the new value of the column. */
async function changed(
  { store, call }: CommandContext,
  kind: 'increment' | 'append',
  [named, row, column, operand]: readonly [Value, Value, Value, Buffer],
  given: RubyHash,
): Promise<Buffer | undefined> {
  const { family, qualifier = EMPTY } = namedColumn(column)
  const key = bytesOf(row)
  checkRow(key)
  const cells = new CellBlockBuilder()
  const [high, low] = [timestampHigh(LATEST_TIMESTAMP), timestampLow(LATEST_TIMESTAMP)]
  cells.append(key, family, qualifier, high, low, CellType.Put, operand)
  const operation: RowOperation = { kind, cells: cells.block() }
  const mutation = { row: key, operations: [operation], options: mutationOptions(given) }
  const { results } = await store.rows.mutateRow(tableOf(named), mutation, call)
  return resultCells(results)[0]?.[0]?.value
}

/** The options ATTRIBUTES, VISIBILITY and TTL of a write. */
function mutationOptions(given: RubyHash): MutationOptions {
  const visibility = given.get('VISIBILITY')
  const ttl = given.get('TTL')
  const attributes = given.get('ATTRIBUTES')
  if (isTrue(attributes) && !(attributes instanceof RubyHash)) refuse('Attributes must be a Hash type')
  if (!isTrue(ttl) && !isTrue(attributes) && !isTrue(visibility)) return DEFAULT_MUTATION_OPTIONS
  const named = new Map(attributes instanceof RubyHash ? attributeMap(attributes) : [])
  if (isTrue(visibility)) named.set(VISIBILITY_ATTRIBUTE, expressionMessage(textOf(visibility!)))
  return {
    durability: 'USE_DEFAULT',
    ...(isTrue(ttl) && { ttlMs: Number(int64Of(ttl!, 'TTL')) }),
    ...(named.size > 0 && { attributes: named }),
  }
}

function attributeMap(attributes: RubyHash): MutationAttributes {
  return new Map(attributes.entries().map(([name, value]) => [textOf(name), bytesOf(value)]))
}

async function apply({ store, call }: CommandContext, table: TableName, batch: MutationBatch): Promise<void> {
  const [failure] = await store.rows.mutate(table, batch, call)
  if (failure !== undefined) throw failure.error
}
