/** Whether the cells that a change would cover let somebody change them. HBase: AccessController.checkCoveringPermission. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { CellAcl } from '../../filter/cell-acl.ts'
import { EMPTY } from '../../model/bytes.ts'
import { CellType } from '../../model/cell.ts'
import { CellBlock, CellCursor, cellsOf } from '../../model/cell-block.ts'
import type { Action } from '../../model/permission.ts'
import { ALL_VERSIONS, type Columns, ColumnsBuilder, type Scan, scan } from '../../model/query.ts'
import { gathered } from '../../model/results.ts'
import { TimeRange } from '../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../model/timestamp.ts'
import { type Call, onOwnBehalf } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import type { Target } from '../../store/target.ts'

/** Wide rows are read in parts. */
const PART = { rows: 1, bytes: 1024 * 1024, allowPartial: true }

/** Of a change of more cells the columns are found in a turn of the event loop of their own. */
const MANY_CELLS = 1000

export interface Covering {
  readonly row: Buffer
  /** Puts and deletions look at the versions up to their own times; others at the newest of each column. */
  readonly kind: 'put' | 'delete' | 'other'
  /** The written cells, or the columns of a condition. The deletion of a row has a cell for each family. */
  readonly cells: readonly CoveringCell[]
  /** That a condition, an increment or an append looks at; undefined: all times. */
  readonly timeRange?: TimeRange | undefined
  readonly action: Action
}

export interface CoveringCell {
  readonly row: Buffer
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly timestamp: bigint
  readonly type: number
}

/** The cells of a mutation; `families`: of the table. */
export function coveringCells(block: CellBlock, families: readonly Buffer[]): CoveringCell[] {
  return cellsOf(block).flatMap((cell) =>
    cell.family.length > 0 ? [cell] : families.map((family) => ({ ...cell, family })),
  )
}

/** True if there are such cells and all of them have a permission for one of the names. */
export async function isCoveredBy(
  store: Pick<Store, 'rows' | 'handouts'>,
  target: Target,
  covering: Covering,
  names: readonly string[],
  call: Call,
): Promise<boolean> {
  const now = BigInt(Date.now())
  const judge = new CoverJudge(covering, new CellAcl(names, covering.action), now)
  const own = onOwnBehalf(call)
  const asked = coveredScan(covering)
  if (covering.cells.length > MANY_CELLS) await nextTurn()
  const { id } = await store.rows.openScanner(target, asked, own)
  try {
    for (;;) {
      const { results, ended } = await store.handouts.next(id, PART, own)
      const { cells } = gathered(results)
      const goesOn = judge.look(cells)
      if (results.loan !== undefined) store.handouts.release(results.loan)
      if (!goesOn) return false
      if (ended !== 'batch') return judge.granted > 0
    }
  } finally {
    await store.handouts.closeScanner(id)
  }
}

/** Of all times: a change may state one to come. */
function coveredScan({ row, kind, cells, timeRange = TimeRange.ALL }: Covering): Scan {
  return scan({
    startRow: row,
    stopRow: row,
    includeStopRow: true,
    columns: columnsOf(cells),
    timeRange,
    maxVersions: kind === 'other' ? 1 : ALL_VERSIONS,
    withTags: true,
  })
}

function columnsOf(cells: readonly CoveringCell[]): Columns {
  const columns = new ColumnsBuilder()
  for (const { family, qualifier, type } of cells) if (!isOfFamily(type)) columns.addColumn(family, qualifier)
  // Families last: a column that is named after its family would leave the others of the family out.
  for (const { family, type } of cells) if (isOfFamily(type)) columns.addFamily(family)
  return columns.build()
}

function isOfFamily(type: number): boolean {
  return type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion
}

/** The part of a column that one written cell covers: so many versions, from the newest of its time or before on. */
interface Cover {
  readonly until: bigint
  readonly left: number
}

/** The cells of a change in one family: those of the whole of it, and those of its columns by name, as latin1 text. */
interface WrittenFamily {
  readonly whole: CoveringCell[]
  readonly columns: Map<string, CoveringCell[]>
}

class CoverJudge {
  /** Covered cells that let themselves be changed. */
  granted = 0
  readonly #covering: Covering
  readonly #acl: CellAcl
  readonly #now: bigint
  #family: Buffer = EMPTY
  #qualifier: Buffer | undefined
  /** Of the column, the latest last: a mutation may name it more than once. Those of the present version and later are gone. */
  #covers: Cover[] = []
  /** How many more versions those that are gone cover. */
  #left = 0
  #byFamily: ReadonlyMap<string, WrittenFamily> | undefined

  constructor(covering: Covering, acl: CellAcl, now: bigint) {
    this.#covering = covering
    this.#acl = acl
    this.#now = now
  }

  /** False once a covered cell does not let itself be changed. */
  look(block: CellBlock): boolean {
    const cursor = new CellCursor(block)
    while (cursor.next()) if (!this.#lookAt(cursor)) return false
    return true
  }

  #lookAt(cursor: CellCursor): boolean {
    const { family, qualifier, timestamp } = cursor.parts()
    if (this.#qualifier?.equals(qualifier) !== true || !this.#family.equals(family)) {
      // Copies: the memory of the block may be lent.
      this.#family = Buffer.from(family)
      this.#qualifier = Buffer.from(qualifier)
      this.#covers = this.#coversOf(this.#family, this.#qualifier).sort((a, b) =>
        a.until < b.until ? -1 : 1,
      )
      this.#left = 0
    }
    const covers = this.#covers
    // Each version is one less for all of them, so that only the one of the most counts.
    while (covers.length > 0 && covers.at(-1)!.until >= timestamp)
      this.#left = Math.max(this.#left, covers.pop()!.left)
    if (this.#left === 0) return true
    this.#left--
    if (!this.#acl.allows(cursor.buffer, cursor.tagsOffset, cursor.tagsBytes)) return false
    this.granted++
    return true
  }

  /** By family: a change may have 100,000 columns, of each of which there may be a cell. */
  #written(cells: readonly CoveringCell[]): ReadonlyMap<string, WrittenFamily> {
    if (this.#byFamily !== undefined) return this.#byFamily
    const byFamily = new Map<string, WrittenFamily>()
    for (const cell of cells) {
      const name = cell.family.toString('latin1')
      let ofFamily = byFamily.get(name)
      if (ofFamily === undefined) byFamily.set(name, (ofFamily = { whole: [], columns: new Map() }))
      if (isOfFamily(cell.type)) ofFamily.whole.push(cell)
      else {
        const key = cell.qualifier.toString('latin1')
        const ofColumn = ofFamily.columns.get(key)
        if (ofColumn === undefined) ofFamily.columns.set(key, [cell])
        else ofColumn.push(cell)
      }
    }
    this.#byFamily = byFamily
    return byFamily
  }

  #coversOf(family: Buffer, qualifier: Buffer): Cover[] {
    const { kind, cells } = this.#covering
    if (kind === 'other') return [{ until: LATEST_TIMESTAMP, left: 1 }]
    const ofFamily = this.#written(cells).get(family.toString('latin1'))
    const written = [
      ...(ofFamily?.whole ?? []),
      ...(ofFamily?.columns.get(qualifier.toString('latin1')) ?? []),
    ]
    // Each deletion of "the newest" takes the version after that of the one before.
    const newest = written.filter(({ timestamp }) => timestamp === LATEST_TIMESTAMP).length
    return written.map(({ type, timestamp }) => {
      if (timestamp !== LATEST_TIMESTAMP) return { until: timestamp, left: hidesOlder(type) ? Infinity : 1 }
      // The newest version may be one of a time to come; all else is written now.
      if (type === CellType.Delete) return { until: LATEST_TIMESTAMP, left: newest }
      return { until: this.#now, left: hidesOlder(type) ? Infinity : 1 }
    })
  }
}

function hidesOlder(type: number): boolean {
  return type === CellType.DeleteColumn || type === CellType.DeleteFamily
}
