/** The labels of a store and their ordinals, which each store assigns itself, from its table hbase:labels. */

import { cellsOf } from '../model/cell-block.ts'
import { type ErrorCode, isHBaseError } from '../model/errors.ts'
import { LABEL_QUALIFIER, LABELS_FAMILY, LABELS_TABLE, ordinalOfRow } from '../model/label-rows.ts'
import { plainMessage } from '../model/plain-message.ts'
import { ColumnsBuilder, scan } from '../model/query.ts'
import { gathered } from '../model/results.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'

/** A name is the latin1 text of its bytes, which need not be UTF-8. */
export interface LabelNames {
  readonly names: ReadonlyMap<number, string>
  readonly ordinals: ReadonlyMap<string, number>
  /** `known`: the names are complete, as far as the user may see them. `none`: the store has no labels. `denied`: the user may not read them. */
  readonly state: 'known' | 'none' | 'denied'
  /** The store's message, where the state is `denied`. */
  readonly reason?: string
}

const NO_NAMES = { names: new Map<number, string>(), ordinals: new Map<string, number>() }
const BATCH = { rows: 1000, bytes: 1024 * 1024, allowPartial: false }
const DENIALS: ReadonlySet<ErrorCode> = new Set(['ACCESS_DENIED', 'UNSUPPORTED'])

/** The labels of a store, without those that the user may not see. Throws as reads do. */
export async function labelNames(store: Store, call: Call): Promise<LabelNames> {
  try {
    if (!(await store.catalog.tableExists(LABELS_TABLE, call))) return { ...NO_NAMES, state: 'none' }
    return await readNames(store, call)
  } catch (error) {
    if (!isHBaseError(error) || !DENIALS.has(error.code)) throw error
    return { ...NO_NAMES, state: 'denied', reason: plainMessage(error) }
  }
}

/** As labelNames; none for a store that would show labelled cells to every user. */
export async function obeyedLabels(store: Store, call: Call): Promise<LabelNames> {
  const { labels } = store.upkeep
  // A folder does not determine the options of the server that will open it.
  if (labels !== undefined && !(await labels.areEnforced(call))) return { ...NO_NAMES, state: 'none' }
  return labelNames(store, call)
}

async function readNames({ rows, handouts }: Store, call: Call): Promise<LabelNames> {
  const names = new Map<number, string>()
  const ordinals = new Map<string, number>()
  const columns = new ColumnsBuilder().addColumn(LABELS_FAMILY, LABEL_QUALIFIER).build()
  const { id } = await rows.openScanner(LABELS_TABLE, scan({ columns }), call)
  try {
    for (let ended = 'batch'; ended !== 'scan'; ) {
      const batch = await handouts.next(id, BATCH, call)
      ended = batch.ended
      for (const { row, value } of cellsOf(gathered(batch.results).cells)) {
        const ordinal = ordinalOfRow(row)
        if (ordinal === undefined) continue
        const name = value.toString('latin1')
        names.set(ordinal, name)
        ordinals.set(name, ordinal)
      }
      if (batch.results.loan !== undefined) handouts.release(batch.results.loan)
    }
  } finally {
    await handouts.closeScanner(id)
  }
  return { names, ordinals, state: 'known' }
}
