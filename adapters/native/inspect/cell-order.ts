import { CELL_HEADER_BYTES, keyLength } from '../../../src/model/cell.ts'
import { compareKeys } from '../hfile/key-order.ts'
import type { CellPlace } from './store-file-view.ts'

/** Order of the keys of two KeyValues. */
export function compareCellKeys(a: CellPlace, b: CellPlace): number {
  return compareKeys(
    a.buffer,
    a.cell + CELL_HEADER_BYTES,
    keyLength(a.buffer, a.cell),
    b.buffer,
    b.cell + CELL_HEADER_BYTES,
    keyLength(b.buffer, b.cell),
  )
}

/** Order of the key of a KeyValue and a key of an index. */
export function compareToKey({ buffer, cell }: CellPlace, key: Buffer): number {
  return compareKeys(buffer, cell + CELL_HEADER_BYTES, keyLength(buffer, cell), key, 0, key.length)
}

/** The place with a copy of its header and key: the memory of a block may be used again for the next one. */
export function keptKey({ buffer, cell, sequenceId }: CellPlace): CellPlace {
  const bytes = buffer.subarray(cell, cell + CELL_HEADER_BYTES + keyLength(buffer, cell))
  return { buffer: Buffer.from(bytes), cell: 0, tags: 0, tagsBytes: 0, sequenceId }
}
