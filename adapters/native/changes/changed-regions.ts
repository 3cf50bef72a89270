/**
 * Finds the table and the region of a record, and the cells of it that belong to the table as it is now.
 *
 * A record of a region that has split, merged or gone is of the table that had it. A change is passed over where there is no table of that name any
 * more, and so are cells of families that the table does not have, or that were written before a family, or the table, was made anew. A table that
 * was truncated keeps its changes from before: a reader who is late gets what one who is not had got.
 */

import { equalRange } from '../../../src/model/bytes.ts'
import { CellBlock, CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { isSystemTable, parseTableName, type TableName } from '../../../src/model/table-name.ts'
import type { Change, WantedChanges } from '../../../src/store/changes.ts'
import { cellsStart, clusterIdsIn, clusterIdsOf, META_FAMILY } from '../cells/cluster-ids.ts'
import type { Engine } from '../engine/engine.ts'
import type { FamilyRecord } from '../manifest/manifest-edit.ts'
import type { LoggedRecord } from './logged-records.ts'

interface ChangedRegion {
  readonly table: TableName
  readonly region: string
  /** Their cells are wanted. */
  readonly families: readonly FamilyRecord[]
  /** Whether a first cell of METAFAMILY is a client's. */
  readonly hasMetaFamily: boolean
}

/** For one call: tables may change between two of them. */
export class ChangedRegions {
  readonly #engine: Engine
  readonly #wanted: WantedChanges
  readonly #regions = new Map<number, ChangedRegion | undefined>()

  constructor(engine: Engine, wanted: WantedChanges) {
    this.#engine = engine
    this.#wanted = wanted
  }

  /** Undefined where nothing of the record is wanted. */
  changeOf({ region: number, sequenceId, cells }: LoggedRecord): Change | undefined {
    const of = this.#regionOf(number)
    if (of === undefined) return undefined
    const { table, region, families, hasMetaFamily } = of
    const start = hasMetaFamily ? cells.start : cellsStart(cells)
    const ids = start === cells.start ? undefined : clusterIdsIn(clusterIdsOf(cells))
    const wanted = wantedCells(new CellBlock(cells.buffer, start, cells.end), families, sequenceId)
    if (wanted === undefined) return undefined
    return { table, sequenceId, region, clusterIds: ids ?? [], cells: wanted }
  }

  #regionOf(number: number): ChangedRegion | undefined {
    const known = this.#regions.get(number)
    if (known !== undefined || this.#regions.has(number)) return known
    const found = this.#find(number)
    this.#regions.set(number, found)
    return found
  }

  #find(number: number): ChangedRegion | undefined {
    const { tables, catalogLog } = this.#engine
    const { catalog } = catalogLog
    const open = tables.regions.get(number)
    const retired = open === undefined ? catalog.retired.get(number) : undefined
    const name = open?.table.name ?? retired?.table
    const record = name === undefined ? undefined : catalog.tables.get(name)
    if (record === undefined) return undefined
    const table = parseTableName(record.name)
    const { table: wanted, families, ofSystem = false } = this.#wanted
    if (wanted === undefined ? isSystemTable(table) && !ofSystem : table !== wanted) return undefined
    const { startKey, regionId } = retired ?? {}
    const isNamed = startKey !== undefined && regionId !== undefined
    return {
      table,
      region: open?.encodedName ?? (isNamed ? regionName(table, startKey, regionId).encodedName : ''),
      families: record.families.filter(
        ({ name: family }) => families?.some((candidate) => candidate.equals(family)) ?? true,
      ),
      hasMetaFamily: record.families.some(({ name: family }) => family.equals(META_FAMILY)),
    }
  }
}

/** The cells of these families; undefined: there is none. */
function wantedCells(
  cells: CellBlock,
  families: readonly FamilyRecord[],
  sequenceId: number,
): CellBlock | undefined {
  const cursor = new CellCursor(cells)
  let [count, wanted] = [0, 0]
  while (cursor.next()) {
    count++
    if (isWanted(cursor, families, sequenceId)) wanted++
  }
  if (wanted === count) return count === 0 ? undefined : cells
  if (wanted === 0) return undefined
  const builder = new CellBlockBuilder(cells.byteLength)
  cursor.reset(cells)
  while (cursor.next())
    if (isWanted(cursor, families, sequenceId))
      builder.appendCell(cursor.buffer, cursor.cell, cursor.cellLength)
  return builder.block()
}

function isWanted(cursor: CellCursor, families: readonly FamilyRecord[], sequenceId: number): boolean {
  const { buffer, familyOffset, familyLength } = cursor
  for (const { name, sinceSequenceId } of families)
    if (sequenceId > sinceSequenceId && equalRange(name, 0, name.length, buffer, familyOffset, familyLength))
      return true
  return false
}
