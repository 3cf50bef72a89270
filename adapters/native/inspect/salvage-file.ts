/** The cells that can still be read of a damaged store file. */

import { compareBytes, toStringBinary } from '../../../src/model/bytes.ts'
import { counted } from '../../../src/model/counted.ts'
import { familyOf, keyLine, keyText, rowOf } from '../cells/cell-text.ts'
import { BlockType } from '../hfile/block-type.ts'
import { compareCellKeys, keptKey } from './cell-order.ts'
import type { CellPlace, StoreFileView } from './store-file-view.ts'

export interface SalvageBounds {
  readonly family: Buffer
  readonly startKey: Buffer
  readonly endKey: Buffer
  /** True: other regions share the file, and their rows are not lost. */
  readonly isShared: boolean
}

export interface Salvaged {
  readonly cells: number
  /** Between which cells others are gone, as sentences. Damage to indexes and bloom filters loses none. */
  readonly losses: readonly string[]
  /** Cells that are gone; undefined where the file no longer states their number. */
  readonly lost: number | undefined
}

/** Passes the sound cells on in their order. Cells that break it, or that are not the region's, are losses, too. */
export function salvage(
  view: StoreFileView,
  bounds: SalvageBounds,
  take: (cell: CellPlace) => void,
): Salvaged {
  const losses: string[] = []
  let cells = 0
  let strays = 0
  let others = 0
  let last: CellPlace | undefined
  let openLoss: string | undefined
  // The info comes behind all cells: where it is seen, no cell follows.
  let isCut = view.trailer === undefined
  for (const found of view.walk()) {
    if (found.kind === 'damage') {
      openLoss ??= `bytes ${found.offset} to ${found.end}: cells after ${last === undefined ? 'the beginning' : text(last)}`
      continue
    }
    if (found.type === BlockType.FileInfo) isCut = false
    for (let index = 0; index < (found.cells?.count ?? 0); index++) {
      const place = view.cellAt(found.cells!, index)
      const isOther = bounds.isShared && !isOfRows(place, bounds)
      if (
        (!isOther && !isOfRegion(place, bounds)) ||
        (last !== undefined && compareCellKeys(last, place) > 0)
      ) {
        strays++
        continue
      }
      if (openLoss !== undefined && mayBeOfRegion(last, place, bounds))
        losses.push(`${openLoss} and before ${text(place)}`)
      openLoss = undefined
      last = place
      if (isOther) {
        others++
        continue
      }
      take(place)
      cells++
    }
    last = last && keptKey(last)
  }
  if (isCut)
    openLoss ??= `what was behind byte ${view.end}: cells after ${last === undefined ? 'the beginning' : text(last)}`
  const total = view.hfile?.entryCount
  const isWhole = total === cells + others
  if (openLoss !== undefined && !isWhole && mayBeOfRegion(last, undefined, bounds))
    losses.push(`${openLoss} and before the end`)
  if (strays > 0) losses.push(`${counted(strays, 'cell')} out of order, or of another region or family`)
  return {
    cells,
    losses: isWhole ? [] : losses,
    // Of a shared file some of the missing cells may be others'.
    lost: total === undefined || (others > 0 && !isWhole) ? undefined : total - cells - others,
  }
}

function isOfRegion(place: CellPlace, bounds: SalvageBounds): boolean {
  return isOfRows(place, bounds) && familyOf(place.buffer, place.cell).equals(bounds.family)
}

function isOfRows(place: CellPlace, bounds: SalvageBounds): boolean {
  return !isBefore(place, bounds) && !isBehind(place, bounds)
}

function isBefore({ buffer, cell }: CellPlace, { startKey }: SalvageBounds): boolean {
  return compareBytes(rowOf(buffer, cell), startKey) < 0
}

function isBehind({ buffer, cell }: CellPlace, { endKey }: SalvageBounds): boolean {
  return endKey.length > 0 && compareBytes(rowOf(buffer, cell), endKey) >= 0
}

/** Whether cells of the region can have been between these two. */
function mayBeOfRegion(
  last: CellPlace | undefined,
  next: CellPlace | undefined,
  bounds: SalvageBounds,
): boolean {
  return !(last !== undefined && isBehind(last, bounds)) && !(next !== undefined && isBefore(next, bounds))
}

function text({ buffer, cell }: CellPlace): string {
  return keyLine(keyText(buffer, cell))
}

/** A region's rows, for messages. */
export function rangeText(startKey: Buffer, endKey: Buffer): string {
  const from = startKey.length === 0 ? 'the first' : toStringBinary(startKey)
  return endKey.length === 0
    ? `rows from ${from} to the last`
    : `rows from ${from} to before ${toStringBinary(endKey)}`
}
