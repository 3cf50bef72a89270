/**
 * Splits the cells of one mutation into runs of puts and of deletes, HBase's mutations, which happen together. A Delete
 * without cells deletes a whole row: the server puts a tombstone into each family.
 */

import { EMPTY, readInt32 } from '../../../src/model/bytes.ts'
import { CellType, cellType, familyLengthOffset, timestampOffset } from '../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES, CellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { readTimestamp, timestampText } from '../../../src/model/timestamp.ts'
import { rowAt } from '../cells/cell-offsets.ts'
import { MutationType } from '../messages/write-mutation.ts'

export interface MutationStep {
  readonly type: MutationType
  readonly cells: CellBlock
  readonly cellCount: number
  /** The time up to which a Delete without cells deletes the row; undefined in other mutations. */
  readonly timestamp?: bigint
}

/**
 * The steps of a mutation; undefined where they depend on the table's `families` and these are absent. Throws ILLEGAL_ARGUMENT for a
 * negative timestamp, whose cell no read would see. Throws NO_SUCH_COLUMN_FAMILY for an empty family: a server fails on such a cell.
 * QUIRK rest-write-value-w7-f-a-timestamp-minus-7: HBase's client refuses a negative timestamp before it sends the request.
 */
export function mutationSteps(cells: CellBlock, families?: readonly Buffer[]): MutationStep[] | undefined {
  const puts = putsAlone(cells)
  if (puts !== undefined) return [puts]
  checkedCount(cells)
  const { buffer, start, end } = cells
  const steps: MutationStep[] = []
  let from = start
  let count = 0
  let runType: MutationType = MutationType.Put
  const endRun = (at: number): void => {
    if (count > 0) steps.push({ type: runType, cells: new CellBlock(buffer, from, at), cellCount: count })
    count = 0
  }
  for (let at = start; at < end; ) {
    const cell = at + CELL_PREFIX_BYTES
    const next = cell + readInt32(buffer, at)
    const type = cellType(buffer, cell) === CellType.Put ? MutationType.Put : MutationType.Delete
    if (isOfWholeRow(buffer, cell)) {
      endRun(at)
      const step = wholeRowStep(buffer, cell, families)
      if (step === undefined) return undefined
      steps.push(step)
    } else {
      checkFamily(buffer, cell)
      if (type !== runType) endRun(at)
      if (count === 0) {
        from = at
        runType = type
      }
      count++
    }
    at = next
  }
  endRun(end)
  return steps
}

/** The only step of a mutation that has nothing but lawful puts, as most have; undefined for any other. */
function putsAlone(cells: CellBlock): MutationStep | undefined {
  const { buffer, start, end } = cells
  let cellCount = 0
  for (let at = start; at < end; cellCount++) {
    const cell = at + CELL_PREFIX_BYTES
    const isPut = cellType(buffer, cell) === CellType.Put
    const isNegative = buffer[timestampOffset(buffer, cell)]! >= 0x80
    if (!isPut || isNegative || buffer[familyLengthOffset(buffer, cell)] === 0) return undefined
    at = cell + readInt32(buffer, at)
  }
  return cellCount === 0 ? undefined : { type: MutationType.Put, cells, cellCount }
}

/** The number of cells. Throws ILLEGAL_ARGUMENT for a negative timestamp. */
export function checkedCount({ buffer, start, end }: CellBlock): number {
  let count = 0
  for (let at = start; at < end; count++) {
    const cell = at + CELL_PREFIX_BYTES
    checkTimestamp(buffer, cell)
    at = cell + readInt32(buffer, at)
  }
  return count
}

function isOfWholeRow(buffer: Buffer, cell: number): boolean {
  if (buffer[familyLengthOffset(buffer, cell)] !== 0) return false
  const type = cellType(buffer, cell)
  return type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion
}

/** The deletion of a whole row, or of one version of it. The protocol has no word for the latter, so it becomes a tombstone for each family. */
function wholeRowStep(
  buffer: Buffer,
  cell: number,
  families: readonly Buffer[] | undefined,
): MutationStep | undefined {
  const timestamp = readTimestamp(buffer, timestampOffset(buffer, cell))
  const type = MutationType.Delete
  if (cellType(buffer, cell) === CellType.DeleteFamily) {
    return { type, cells: CellBlock.EMPTY, cellCount: 0, timestamp }
  }
  if (families === undefined) return undefined
  const row = rowAt(buffer, cell - CELL_PREFIX_BYTES)
  const cells = blockOf(
    families.map((family) => ({
      row,
      family,
      qualifier: EMPTY,
      timestamp,
      type: CellType.DeleteFamilyVersion,
      value: EMPTY,
    })),
  )
  return { type, cells, cellCount: families.length }
}

function checkFamily(buffer: Buffer, cell: number): void {
  if (buffer[familyLengthOffset(buffer, cell)] !== 0) return
  throw new HBaseError('NO_SUCH_COLUMN_FAMILY', 'Column family  does not exist')
}

function checkTimestamp(buffer: Buffer, cell: number): void {
  const at = timestampOffset(buffer, cell)
  if (buffer[at]! < 0x80) return
  const timestamp = timestampText(readInt32(buffer, at), readInt32(buffer, at + 4))
  throw new HBaseError('ILLEGAL_ARGUMENT', `Timestamp cannot be negative. ts=${timestamp}`)
}
