/** Writes cells unchanged, with their timestamps and types. Repeating a write is safe. */

import { CellType } from '../model/cell.ts'
import { type CellBlock, CellCursor, TAGS_LENGTH_BYTES } from '../model/cell-block.ts'
import { type HBaseError, isHBaseError } from '../model/errors.ts'
import { MutationBatch } from '../model/mutation.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'

/** Codes of a store that accepts no more writes for the moment. */
const BUSY: ReadonlySet<string> = new Set(['REGION_TOO_BUSY', 'THROTTLED', 'OVERLOADED'])
const ATTEMPTS_MAX = 12
const PAUSE_MS = 50
const PAUSE_MS_MAX = 10_000

export interface Writing {
  readonly store: Pick<Store, 'rows'>
  readonly table: TableName
  readonly call: Call
  readonly pause: (milliseconds: number) => Promise<void>
}

export interface WrittenCells {
  readonly batch: MutationBatch
  /** The number of cells whose tags were dropped. */
  readonly untagged: number
}

/** The tags to write: none, or a function that returns a cell's tags; undefined from it: unchanged. */
export type TagsWritten = 'none' | ((cursor: CellCursor) => Buffer | undefined)

/** The mutations of cells in their order, with the puts of a row before the markers that hide them. */
export function mutationsOf(
  cells: CellBlock,
  counts: readonly number[],
  tags: TagsWritten = 'none',
): WrittenCells {
  let untagged = 0
  const batch = new MutationBatch(cells.byteLength + 64)
  const cursor = new CellCursor(cells)
  for (const count of counts) {
    const deletes: CopiedCell[] = []
    let puts = 0
    for (let i = 0; i < count; i++) {
      cursor.next()
      const { cell, cellLength: whole, tagsBytes, type } = cursor
      const other = tagsBytes === 0 || tags === 'none' ? undefined : tags(cursor)
      const keepsTags = tagsBytes === 0 || (tags !== 'none' && other === undefined)
      const length = keepsTags ? whole : whole - tagsBytes - TAGS_LENGTH_BYTES
      if (tagsBytes > 0 && tags === 'none') untagged++
      if (type === CellType.Put) {
        append(batch, cursor.buffer, { cell, length, tags: other })
        puts++
      } else deletes.push({ cell, length, tags: other })
    }
    if (puts > 0) batch.endMutation()
    for (const each of deletes) append(batch, cursor.buffer, each)
    if (deletes.length > 0) batch.endMutation()
  }
  return { batch, untagged }
}

interface CopiedCell {
  readonly cell: number
  readonly length: number
  /** The tags to write instead of the cell's own; undefined: the cell's own. */
  readonly tags: Buffer | undefined
}

function append({ cells }: MutationBatch, source: Buffer, { cell, length, tags }: CopiedCell): void {
  const prefix = cells.length
  cells.appendCell(source, cell, length)
  if (tags !== undefined) cells.appendTags(prefix, tags)
}

/** Writes the batch. Resolves once all of it is written. Throws HBaseErrors. */
export async function writeMutations(
  { store, table, call, pause }: Writing,
  batch: MutationBatch,
): Promise<void> {
  if (batch.length === 0) return
  for (let attempt = 1; ; attempt++) {
    const failure = await failureOf(() => store.rows.mutate(table, batch, call))
    if (failure === undefined) return
    if (!BUSY.has(failure.code) || attempt === ATTEMPTS_MAX) throw failure
    await pause(Math.min(PAUSE_MS * 2 ** attempt, PAUSE_MS_MAX))
  }
}

/** The first failure of a write that is not BUSY; a busy one where there is no other. */
async function failureOf(
  write: () => Promise<readonly { readonly error: HBaseError }[]>,
): Promise<HBaseError | undefined> {
  try {
    const failures = (await write()).map(({ error }) => error)
    return failures.find(({ code }) => !BUSY.has(code)) ?? failures[0]
  } catch (error) {
    if (isHBaseError(error)) return error
    throw error
  }
}
