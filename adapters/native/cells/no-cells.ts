import { EMPTY } from '../../../src/model/bytes.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { CellIterator } from './cell-run.ts'

const NOTHING = (): void => undefined

/** The iterator of a run without cells. */
export const NO_CELLS: CellIterator = {
  valid: false,
  buffer: EMPTY,
  memory: ViewedBytes.EMPTY,
  cell: 0,
  cellBytes: 0,
  tags: 0,
  tagsBytes: 0,
  sequenceId: 0,
  heldBytes: 0,
  seekToFirst: NOTHING,
  seek: NOTHING,
  next: NOTHING,
  seekForward: NOTHING,
  leaveColumn: NOTHING,
  seekBeforeRow: NOTHING,
  lend: () => NOTHING,
  close: NOTHING,
}
