/** Changes of cells that may have labels: a user gets those that the labels show, tombstones as well as cells. */

import { type CellBlock, CellBlockBuilder, CellCursor } from '../../../model/cell-block.ts'
import { isVisibleTo } from '../../../model/visibility.ts'
import type { Call } from '../../../store/call.ts'
import type { Change, Changes } from '../../../store/changes.ts'
import { withoutTags } from '../own-tables/without-tags.ts'
import { generatedLabels } from './label-settings.ts'
import type { VisibleReadsParts } from './visible-reads.ts'

export function labelledChanges(changes: Changes, parts: VisibleReadsParts): Pick<Changes, 'readChanges'> {
  return {
    readChanges: async (position, wanted, call) => {
      const part = await changes.readChanges(position, wanted, call)
      // For administrators, who can back up all cells too: their copy must have what any reader here sees.
      if (wanted.ofSystem === true) return part
      // After the wait, so that labels that were taken away meanwhile show nothing.
      const ordinals = await ordinalsFor(parts, call)
      if (ordinals === undefined) return part
      const seen = part.changes.flatMap((change): Change[] => {
        const cells = visibleCells(change.cells, ordinals)
        return cells.byteLength === 0 ? [] : [{ ...change, cells: withoutTags(cells) }]
      })
      return { ...part, changes: seen }
    },
  }
}

/** The labels of the user; undefined: the user sees everything. */
async function ordinalsFor(
  { subjects, current, settings }: VisibleReadsParts,
  call: Call,
): Promise<ReadonlySet<number> | undefined> {
  if (call.isOwn) return undefined
  const subject = subjects.of(call.principal?.user)
  if (subject.isSuperuser) return undefined
  const book = await current.get()
  if (book.hasSystemLabel(subject)) return undefined
  const auths = [...book.ordinalsOf(subject)].flatMap((ordinal) => book.labelOf(ordinal) ?? [])
  const labels = generatedLabels(settings.generators, undefined, auths)
  return new Set(labels.flatMap((label) => book.ordinalOf(label) ?? []))
}

function visibleCells(cells: CellBlock, ordinals: ReadonlySet<number>): CellBlock {
  const builder = new CellBlockBuilder(cells.byteLength)
  const cursor = new CellCursor(cells)
  while (cursor.next())
    if (isVisibleTo(ordinals, cursor.buffer, cursor.tagsOffset, cursor.tagsBytes))
      builder.appendCell(cursor.buffer, cursor.cell, cursor.cellLength)
  return builder.block()
}
