/** Reads and writes hbase:quota. */

import { fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { type CellParts } from '../../../model/cell.ts'
import { cellsOf } from '../../../model/cell-block.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { type Columns, ColumnsBuilder, get, scan } from '../../../model/query.ts'
import { gathered } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import { QuotasSchema } from '../../../wire/rpc/gen/quota_pb.ts'
import { PROTOBUF_MAGIC, stripMagic } from '../../../wire/rpc/protobuf-magic.ts'
import { ChangeTimes } from '../own-tables/change-times.ts'
import { INFO, QUOTA_TABLE } from './quota-rows.ts'

export type Quotas = MessageShape<typeof QuotasSchema>
export type QuotaCell = Pick<CellParts, 'row' | 'family' | 'qualifier' | 'value'>

const BATCH = { rows: 1000, bytes: 1024 * 1024, allowPartial: false }

export class QuotaTable {
  readonly #store: Pick<Store, 'rows' | 'handouts'>
  readonly #times: ChangeTimes
  readonly #changed: () => void

  /** `times`: shared by all writers of the table. `changed`: called after each change of the table. */
  constructor(
    store: Pick<Store, 'rows' | 'handouts'>,
    times: ChangeTimes,
    changed: () => void = () => undefined,
  ) {
    this.#changed = changed
    this.#store = store
    this.#times = times
  }

  async value(row: Buffer, family: Buffer, qualifier: Buffer, call: Call): Promise<Buffer | undefined> {
    const columns = new ColumnsBuilder().addColumn(family, qualifier).build()
    const limits = { bytes: Number.MAX_SAFE_INTEGER }
    const { cells } = await this.#store.rows.get(QUOTA_TABLE, [get(row, { columns })], limits, call)
    const [found] = cellsOf(cells)
    return found && Buffer.from(found.value)
  }

  /** The settings; undefined also for damaged ones, so that a change can replace them. */
  async quotas(row: Buffer, qualifier: Buffer, call: Call): Promise<Quotas | undefined> {
    const value = await this.value(row, INFO, qualifier, call)
    return value && readQuotas(value)
  }

  /** All cells of the columns, in order. */
  async cells(columns: Columns, call: Call): Promise<QuotaCell[]> {
    const { rows, handouts } = this.#store
    const { id } = await rows.openScanner(QUOTA_TABLE, scan({ columns }), call)
    const found: QuotaCell[] = []
    try {
      for (let ended = 'batch'; ended !== 'scan'; ) {
        const batch = await handouts.next(id, BATCH, call)
        ended = batch.ended
        const { cells } = gathered(batch.results)
        // Copied, since the memory may be lent.
        for (const { row, family, qualifier, value } of cellsOf(cells)) {
          found.push({
            row: Buffer.from(row),
            family: Buffer.from(family),
            qualifier: Buffer.from(qualifier),
            value: Buffer.from(value),
          })
        }
        if (batch.results.loan !== undefined) handouts.release(batch.results.loan)
      }
    } finally {
      await handouts.closeScanner(id)
    }
    return found
  }

  async put(row: Buffer, family: Buffer, qualifier: Buffer, value: Buffer, call: Call): Promise<void> {
    const time = await this.#times.next()
    await this.#apply(new MutationBatch().put(row, family, qualifier, value, time), call)
  }

  putQuotas(row: Buffer, qualifier: Buffer, quotas: Quotas, call: Call): Promise<void> {
    const value = Buffer.concat([PROTOBUF_MAGIC, toBinary(QuotasSchema, quotas)])
    return this.put(row, INFO, qualifier, value, call)
  }

  async deleteRow(row: Buffer, call: Call): Promise<void> {
    const time = await this.#times.next()
    await this.#apply(new MutationBatch().deleteRow(row, time), call)
  }

  async deleteColumn(row: Buffer, family: Buffer, qualifier: Buffer, call: Call): Promise<void> {
    const time = await this.#times.next()
    await this.#apply(new MutationBatch().deleteColumn(row, family, qualifier, time), call)
  }

  async #apply(batch: MutationBatch, call: Call): Promise<void> {
    batch.endMutation()
    const [failure] = await this.#store.rows.mutate(QUOTA_TABLE, batch, call)
    this.#times.made()
    this.#changed()
    if (failure !== undefined) throw failure.error
  }
}

/** Undefined for a damaged value: clients may write any bytes to hbase:quota. */
export function readQuotas(value: Buffer): Quotas | undefined {
  try {
    return fromBinary(QuotasSchema, stripMagic(value))
  } catch {
    return undefined
  }
}
