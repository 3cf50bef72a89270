/** Reads and writes hbase:labels. */

import { CellType } from '../../../model/cell.ts'
import { cellsOf } from '../../../model/cell-block.ts'
import {
  LABEL_QUALIFIER,
  LABELS_FAMILY,
  LABELS_TABLE,
  LABELS_TABLE_TAGS,
  labelRow,
  SYSTEM_LABEL,
  SYSTEM_ORDINAL,
} from '../../../model/label-rows.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { ColumnsBuilder, scan } from '../../../model/query.ts'
import { gathered } from '../../../model/results.ts'
import { type Call, OWN_CALL } from '../../../store/call.ts'
import type { Handouts } from '../../../store/handouts.ts'
import type { ReadRows } from '../../../store/rows.ts'
import type { Store } from '../../../store/store.ts'
import { ChangeTimes } from '../own-tables/change-times.ts'
import { LabelBook } from './label-book.ts'

const BATCH = { rows: 1000, bytes: 1024 * 1024, allowPartial: false }

export async function readLabels({
  rows,
  handouts,
}: {
  readonly rows: ReadRows
  readonly handouts: Handouts
}): Promise<LabelBook> {
  const columns = new ColumnsBuilder().addFamily(LABELS_FAMILY).build()
  const { id } = await rows.openScanner(LABELS_TABLE, scan({ columns }), OWN_CALL)
  const found: { row: Buffer; qualifier: Buffer; value: Buffer }[] = []
  try {
    for (let ended = 'batch'; ended !== 'scan'; ) {
      const batch = await handouts.next(id, BATCH, OWN_CALL)
      ended = batch.ended
      // Copied, since the memory may be lent.
      for (const { row, qualifier, value } of cellsOf(gathered(batch.results).cells))
        found.push({ row: Buffer.from(row), qualifier: Buffer.from(qualifier), value: Buffer.from(value) })
      if (batch.results.loan !== undefined) handouts.release(batch.results.loan)
    }
  } finally {
    await handouts.closeScanner(id)
  }
  return new LabelBook(found)
}

export class LabelsTable {
  readonly #store: Pick<Store, 'rows' | 'handouts'>
  readonly #times = new ChangeTimes()

  constructor(store: Pick<Store, 'rows' | 'handouts'>) {
    this.#store = store
  }

  read(): Promise<LabelBook> {
    return readLabels(this.#store)
  }

  /** Adds the label `system`. HBase writes it without tags. */
  addSystemLabel(): Promise<void> {
    const batch = new MutationBatch()
    batch.put(labelRow(SYSTEM_ORDINAL), LABELS_FAMILY, LABEL_QUALIFIER, Buffer.from(SYSTEM_LABEL))
    batch.endMutation()
    return this.#apply(batch, OWN_CALL)
  }

  addLabels(
    labels: readonly { readonly ordinal: number; readonly label: Buffer }[],
    call: Call,
  ): Promise<void> {
    const batch = new MutationBatch()
    for (const { ordinal, label } of labels) {
      batch.put(labelRow(ordinal), LABELS_FAMILY, LABEL_QUALIFIER, label)
      batch.endMutation({ durability: 'USE_DEFAULT', tags: LABELS_TABLE_TAGS })
    }
    return this.#apply(batch, call)
  }

  async setAuths(user: Buffer, ordinals: readonly number[], call: Call): Promise<void> {
    const [batch, time] = [new MutationBatch(), await this.#times.next()]
    for (const ordinal of ordinals) {
      batch.cell(labelRow(ordinal), LABELS_FAMILY, user, CellType.Put, time)
      batch.endMutation({ durability: 'USE_DEFAULT', tags: LABELS_TABLE_TAGS })
    }
    return this.#apply(batch, call)
  }

  async clearAuths(user: Buffer, ordinals: readonly number[], call: Call): Promise<void> {
    const [batch, time] = [new MutationBatch(), await this.#times.next()]
    for (const ordinal of ordinals) {
      batch.deleteColumn(labelRow(ordinal), LABELS_FAMILY, user, time)
      batch.endMutation()
    }
    return this.#apply(batch, call)
  }

  async #apply(batch: MutationBatch, call: Call): Promise<void> {
    if (batch.length === 0) return
    const [failure] = await this.#store.rows.mutate(LABELS_TABLE, batch, call)
    this.#times.made()
    if (failure !== undefined) throw failure.error
  }
}
