/** A writer through the native RPC door: the adapter of clusters, with a registry of this one server and without repetitions. */

import type { CellBlock } from '../../../src/model/cell-block.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type RowMutation,
  type RowOperation,
  valueCondition,
} from '../../../src/model/mutation.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { openRpcStore } from '../rpc-store.ts'
import { type Cells, TABLE, type WritingDoor } from './writing-door.ts'

export class RpcWriter implements WritingDoor {
  readonly #store: Promise<Store>
  readonly #table: TableName

  constructor(port: number, table: string = TABLE) {
    this.#table = parseTableName(table)
    // A repeated call could reach the server of the next life.
    this.#store = openRpcStore(port, { retriesMax: 0 })
    this.#store.catch(() => undefined)
  }

  put(row: string, cells: Cells): Promise<unknown> {
    return this.batch({ [row]: cells })
  }

  batch(rows: Readonly<Record<string, Cells>>): Promise<unknown> {
    const batch = new MutationBatch()
    for (const [row, cells] of Object.entries(rows)) batch.append(putOf(row, cells))
    return this.#mutate(batch)
  }

  remove(row: string): Promise<unknown> {
    const batch = new MutationBatch()
    batch.deleteRow(Buffer.from(row)).endMutation()
    return this.#mutate(batch)
  }

  increment(row: string, column: string): Promise<unknown> {
    const one = Buffer.alloc(8)
    one.writeBigInt64BE(1n)
    return this.#change(row, { kind: 'increment', cells: cellOf(row, column, one) })
  }

  append(row: string, column: string, text: string): Promise<unknown> {
    return this.#change(row, { kind: 'append', cells: cellOf(row, column, Buffer.from(text)) })
  }

  checkAndPut(row: string, column: string, expected: string, value: string): Promise<boolean> {
    const { family, qualifier } = named(column)
    const condition = valueCondition(family, qualifier, 'EQUAL', Buffer.from(expected))
    return this.#change(row, { kind: 'mutate', cells: putOf(row, { [column]: value }).blockOf(0) }, condition)
  }

  close(): void {
    void this.#store.then(
      (store) => store.close(),
      () => undefined,
    )
  }

  async #mutate(batch: MutationBatch): Promise<void> {
    const store = await this.#store
    const failures = await told(store.rows.mutate(this.#table, batch, OWN_CALL))
    for (const { error } of failures) throw error
  }

  async #change(
    row: string,
    operation: RowOperation,
    condition?: RowMutation['condition'],
  ): Promise<boolean> {
    const store = await this.#store
    const mutation = {
      row: Buffer.from(row),
      operations: [operation],
      condition,
      options: DEFAULT_MUTATION_OPTIONS,
    }
    return (await told(store.rows.mutateRow(this.#table, mutation, OWN_CALL))).applied
  }
}

/** Kill writers know a busy region by HBase's name for it. */
async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (isHBaseError(error) && error.code === 'REGION_TOO_BUSY')
      throw new Error('RegionTooBusyException', { cause: error })
    throw error
  }
}

function putOf(row: string, cells: Cells): MutationBatch {
  const batch = new MutationBatch()
  for (const [column, value] of Object.entries(cells)) {
    const { family, qualifier } = named(column)
    batch.put(Buffer.from(row), family, qualifier, Buffer.from(value))
  }
  batch.endMutation()
  return batch
}

function cellOf(row: string, column: string, value: Buffer): CellBlock {
  const { family, qualifier } = named(column)
  const batch = new MutationBatch()
  batch.put(Buffer.from(row), family, qualifier, value).endMutation()
  return batch.blockOf(0)
}

function named(column: string): { readonly family: Buffer; readonly qualifier: Buffer } {
  const [family = '', qualifier = ''] = column.split(':')
  return { family: Buffer.from(family), qualifier: Buffer.from(qualifier) }
}
