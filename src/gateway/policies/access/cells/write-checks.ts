/** Checks the permissions for writes. HBase: AccessController.prePut, preDelete, preCheckAndPut and the like. */

import { CellType } from '../../../../model/cell.ts'
import type { CellBlock } from '../../../../model/cell-block.ts'
import type { HBaseError } from '../../../../model/errors.ts'
import { inTurnsIfMany } from '../../../../model/many-a-turn.ts'
import type { ColumnCondition, MutationBatch, RowPart } from '../../../../model/mutation.ts'
import type { TimeRange } from '../../../../model/time-range.ts'
import type { Call } from '../../../../store/call.ts'
import type { Store } from '../../../../store/store.ts'
import type { Target } from '../../../../store/target.ts'
import { OwnTurns } from '../../../requests/own-turns.ts'
import type { Access } from '../access-checker.ts'
import { denied, deniedRead, type FamilyMap } from '../denials.ts'
import { isDeletion } from './cell-acls.ts'
import { type Covering, coveringCellsInSteps, isCoveredBy } from './covering-cells.ts'
import { endsEarly } from './early-out.ts'
import type { TableFamilies } from './table-families.ts'
import { mayReadAll } from './visible-columns.ts'

/** A write of a user who may not do everything with the table. */
export interface CheckedWrite {
  readonly store: Pick<Store, 'rows' | 'handouts'>
  readonly target: Target
  readonly access: Access
  readonly families: TableFamilies
  /** See endsEarly. */
  readonly earlyOut: boolean
  readonly call: Call
}

/** Throws ACCESS_DENIED for the first refused mutation. HBase then applies none of the region's mutations. */
export async function checkBatch(batch: MutationBatch, write: CheckedWrite): Promise<void> {
  const { access, families } = write
  // A user who may write the whole table but not read it may write a batch: it has no conditions.
  if (access.grants.allowsTable(access.subject, families.table, 'WRITE')) return
  const turns = new OwnTurns()
  for (let index = 0; index < batch.length; index++) {
    const pause = turns.pause()
    if (pause !== undefined) await pause
    const cells = batch.blockOf(index)
    await requireWrite(write, cells, isDeletion(cells) ? 'delete' : 'put', false)
  }
}

/** Checks the parts of an atomic change. Throws ACCESS_DENIED. */
export async function checkParts(
  parts: readonly Pick<RowPart, 'row' | 'operations' | 'condition'>[],
  write: CheckedWrite,
): Promise<void> {
  const { access, families } = write
  const turns = new OwnTurns()
  for (const { row, operations, condition } of parts) {
    const pause = turns.pause()
    if (pause !== undefined) await pause
    const byCells = condition?.kind === 'column' && (await requireTest(write, row, condition))
    for (const operation of operations) {
      const { kind, cells } = operation
      const asked = kind !== 'mutate' ? 'other' : isDeletion(cells) ? 'delete' : 'put'
      await requireWrite(write, cells, asked, byCells)
      // An increment or append returns the value of its time range, which may be another cell than the one that it hides.
      const timeRange = kind === 'mutate' ? undefined : operation.timeRange
      if (timeRange?.isAllTime === false) await requireWrite(write, cells, asked, byCells, timeRange)
    }
    // A filter may read any column of the row.
    if (condition?.kind === 'filter' && !mayReadAll(access, families.table))
      throw deniedRead(access.subject, families.table)
  }
}

/** `byCells`: the permissions of covered cells are checked in any case. */
async function requireWrite(
  write: CheckedWrite,
  block: CellBlock,
  kind: Covering['kind'],
  byCells: boolean,
  timeRange?: TimeRange,
): Promise<void> {
  if (block.byteLength === 0) return
  const { access, families } = write
  const written = await families.ofCells(block)
  const refusal = access.refusalOf(families.table, 'WRITE', written)
  if (refusal === undefined && !byCells) return
  const cells = await inTurnsIfMany(block.byteLength, coveringCellsInSteps(block, await families.names()))
  const { row } = cells[0]!
  await requireCovering(write, { row, kind, cells, timeRange, action: 'WRITE' }, written, refusal)
}

/**
 * A condition reveals the value of a column: its user must be allowed to read the column. Returns true where only the permissions of the
 * cell allow it. HBase: AccessController.preCheckAndPut.
 */
async function requireTest(
  write: CheckedWrite,
  row: Buffer,
  { family, qualifier, timeRange }: ColumnCondition,
): Promise<boolean> {
  const { access, families } = write
  const column: FamilyMap = [[family, [qualifier]]]
  const refusal =
    access.refusalOf(families.table, 'READ', column) ?? access.refusalOf(families.table, 'WRITE', column)
  if (refusal === undefined) return false
  const cells = [{ row, family, qualifier, timestamp: 0n, type: CellType.Put }]
  await requireCovering(write, { row, kind: 'other', cells, timeRange, action: 'READ' }, column, refusal)
  return true
}

/** Checks the covered cells. `refusal`: by the permissions of the table and its columns. */
async function requireCovering(
  { store, target, access, families, earlyOut, call }: CheckedWrite,
  covering: Covering,
  written: FamilyMap,
  refusal: HBaseError | undefined,
): Promise<void> {
  const { table } = families
  const { subject } = access
  if (endsEarly(await families.descriptor(), earlyOut)) {
    if (refusal !== undefined) throw refusal
    return
  }
  if (await isCoveredBy(store, target, covering, subject.names, call)) return
  throw denied(subject, { table, families: written, action: covering.action })
}
