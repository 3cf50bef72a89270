/** The cells that can still be read of a damaged store file. */

import { compareBytes, toStringBinary } from '../../../src/model/bytes.ts'
import { BlockType } from '../hfile/block-type.ts'
import { compareCellKeys, keptKey } from './cell-order.ts'
import { familyOf, keyLine, keyText, rowOf } from './cell-text.ts'
import type { CellPlace, StoreFileView } from './store-file-view.ts'

export interface SalvageBounds {
  readonly family: Buffer
  readonly startKey: Buffer
  readonly endKey: Buffer
}

export interface Salvaged {
  readonly cells: number
  /** Between which cells others are gone, as sentences. Damage to indexes and bloom filters loses none. */
  readonly losses: readonly string[]
  /** Cells that are gone; undefined where the file no longer tells how many it had. */
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
      if (!isOfRegion(place, bounds) || (last !== undefined && compareCellKeys(last, place) > 0)) {
        strays++
        continue
      }
      if (openLoss !== undefined) losses.push(`${openLoss} and before ${text(place)}`)
      openLoss = undefined
      take(place)
      last = place
      cells++
    }
    last = last && keptKey(last)
  }
  if (isCut)
    openLoss ??= `what was behind byte ${view.end}: cells after ${last === undefined ? 'the beginning' : text(last)}`
  const total = view.hfile?.entryCount
  if (openLoss !== undefined && total !== cells) losses.push(`${openLoss} and before the end`)
  if (strays > 0) losses.push(`${strays} cells out of order, or of another region or family`)
  return {
    cells,
    losses: total === cells ? [] : losses,
    lost: total === undefined ? undefined : total - cells,
  }
}

function isOfRegion({ buffer, cell }: CellPlace, { family, startKey, endKey }: SalvageBounds): boolean {
  const row = rowOf(buffer, cell)
  if (compareBytes(row, startKey) < 0 || (endKey.length > 0 && compareBytes(row, endKey) >= 0)) return false
  return familyOf(buffer, cell).equals(family)
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
