/** Checks the permissions of the cells that a change would cover. HBase: AccessController.checkCoveringPermission. */

import { CellAcl } from '../../../../filter/evaluate/cell-acl.ts'
import { EMPTY } from '../../../../model/bytes.ts'
import { CellType } from '../../../../model/cell.ts'
import { CellBlock, CellCursor } from '../../../../model/cell-block.ts'
import { inTurnsIfMany } from '../../../../model/many-a-turn.ts'
import type { Action } from '../../../../model/permission.ts'
import { ALL_VERSIONS, type Columns, ColumnsBuilder, type Scan, scan } from '../../../../model/query.ts'
import { gathered } from '../../../../model/results.ts'
import { eachInSteps, mapInSteps, type Steps, sortInSteps } from '../../../../model/steps.ts'
import { TimeRange } from '../../../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../../model/timestamp.ts'
import { type Call, onOwnBehalf } from '../../../../store/call.ts'
import type { Store } from '../../../../store/store.ts'
import type { Target } from '../../../../store/target.ts'

/** The limits of one read: wide rows are read in parts. */
const PART = { rows: 1, bytes: 1024 * 1024, allowPartial: true }

/** Cells that are checked in one step. */
const STEP_CELLS = 256
/** The approximate bytes of a cell of a change. */
const CELL_BYTES = 64

export interface Covering {
  readonly row: Buffer
  /** Puts and deletions cover versions up to their own times, others the newest version of each column. */
  readonly kind: 'put' | 'delete' | 'other'
  /** The written cells, or the columns of a condition. The deletion of a row has a cell for each family. */
  readonly cells: readonly CoveringCell[]
  /** The time range of a condition, an increment or an append; undefined: all times. */
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

/** The cells of a mutation. `families`: all families of the table. */
export function* coveringCellsInSteps(block: CellBlock, families: readonly Buffer[]): Steps<CoveringCell[]> {
  const cells: CoveringCell[] = []
  const cursor = new CellCursor(block)
  for (let count = 1; cursor.next(); count++) {
    if (count % STEP_CELLS === 0) yield
    const cell = cursor.parts()
    if (cell.family.length > 0) cells.push(cell)
    else for (const family of families) cells.push({ ...cell, family })
  }
  return cells
}

/** True if there are covered cells, and all of them have a permission for one of the names. */
export async function isCoveredBy(
  store: Pick<Store, 'rows' | 'handouts'>,
  target: Target,
  covering: Covering,
  names: readonly string[],
  call: Call,
): Promise<boolean> {
  const now = BigInt(Date.now())
  const writtenBytes = covering.cells.length * CELL_BYTES
  const written = await inTurnsIfMany(writtenBytes, writtenInSteps(covering))
  const judge = new CoverJudge(covering, written, new CellAcl(names, covering.action), now)
  const own = onOwnBehalf(call)
  const asked = coveredScan(covering, await inTurnsIfMany(writtenBytes, columnsInSteps(covering.cells)))
  const { id } = await store.rows.openScanner(target, asked, own)
  try {
    for (;;) {
      const { results, ended } = await store.handouts.next(id, PART, own)
      const { cells } = gathered(results)
      const goesOn = await inTurnsIfMany(cells.byteLength, judge.lookInSteps(cells))
      if (results.loan !== undefined) store.handouts.release(results.loan)
      if (!goesOn) return false
      if (ended !== 'batch') return judge.granted > 0
    }
  } finally {
    await store.handouts.closeScanner(id)
  }
}

/** The scan for covered cells. It includes the future: a change may state a time to come. */
function coveredScan({ row, kind, timeRange = TimeRange.ALL }: Covering, columns: Columns): Scan {
  return scan({
    startRow: row,
    stopRow: row,
    includeStopRow: true,
    columns,
    timeRange,
    maxVersions: kind === 'other' ? 1 : ALL_VERSIONS,
    withTags: true,
  })
}

function* columnsInSteps(cells: readonly CoveringCell[]): Steps<Columns> {
  const columns = new ColumnsBuilder()
  yield* eachInSteps(cells, ({ family, qualifier, type }) => {
    if (!isOfFamily(type)) columns.addColumn(family, qualifier)
  })
  // Whole families come last: a column named after its family would leave out the rest of the family.
  yield* eachInSteps(cells, ({ family, type }) => {
    if (isOfFamily(type)) columns.addFamily(family)
  })
  const settling = columns.settle()
  if (settling !== undefined) yield* settling
  return columns.build()
}

function isOfFamily(type: number): boolean {
  return type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion
}

/** The versions of a column that one written cell covers: a number of versions, from the newest one at or before its time on. */
interface Cover {
  readonly until: bigint
  readonly left: number
}

/** The cells of a change in one family: those for the whole family, and those for its columns, by name as latin1 text. */
interface WrittenFamily {
  readonly whole: CoveringCell[]
  readonly columns: Map<string, CoveringCell[]>
}

/** The cells of a change by family and column: both the change and the row may have 100,000 columns. */
function* writtenInSteps({ kind, cells }: Covering): Steps<ReadonlyMap<string, WrittenFamily>> {
  const byFamily = new Map<string, WrittenFamily>()
  if (kind === 'other') return byFamily
  yield* eachInSteps(cells, (cell) => {
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
  })
  return byFamily
}

class CoverJudge {
  /** Covered cells whose permissions allow the change. */
  granted = 0
  readonly #covering: Covering
  readonly #written: ReadonlyMap<string, WrittenFamily>
  readonly #acl: CellAcl
  readonly #now: bigint
  #family: Buffer = EMPTY
  #qualifier: Buffer | undefined
  /** The covers of the present column, the latest last: a mutation may name a column more than once. Covers that have begun are removed. */
  #covers: Cover[] = []
  /** The number of further versions that the begun covers include. */
  #left = 0

  constructor(covering: Covering, written: ReadonlyMap<string, WrittenFamily>, acl: CellAcl, now: bigint) {
    this.#covering = covering
    this.#written = written
    this.#acl = acl
    this.#now = now
  }

  /** Checks the cells of a block. False once a covered cell does not allow the change. */
  *lookInSteps(block: CellBlock): Steps<boolean> {
    const cursor = new CellCursor(block)
    for (let count = 1; cursor.next(); count++) {
      if (count % STEP_CELLS === 0) yield
      const { family, qualifier, timestamp } = cursor.parts()
      if (this.#qualifier?.equals(qualifier) !== true || !this.#family.equals(family)) {
        // Copies: the memory of the block may be lent.
        this.#family = Buffer.from(family)
        this.#qualifier = Buffer.from(qualifier)
        this.#covers = yield* this.#coversInSteps(this.#family, this.#qualifier)
        this.#left = 0
      }
      if (!this.#allows(cursor, timestamp)) return false
    }
    return true
  }

  #allows(cursor: CellCursor, timestamp: bigint): boolean {
    const covers = this.#covers
    // Each version is one less for all begun covers, so that only the largest number matters.
    while (covers.length > 0 && covers.at(-1)!.until >= timestamp)
      this.#left = Math.max(this.#left, covers.pop()!.left)
    if (this.#left === 0) return true
    this.#left--
    if (!this.#acl.allows(cursor.buffer, cursor.tagsOffset, cursor.tagsBytes)) return false
    this.granted++
    return true
  }

  /** The covers of a column, ordered by time. */
  *#coversInSteps(family: Buffer, qualifier: Buffer): Steps<Cover[]> {
    if (this.#covering.kind === 'other') return [{ until: LATEST_TIMESTAMP, left: 1 }]
    const ofFamily = this.#written.get(family.toString('latin1'))
    const whole = ofFamily?.whole ?? []
    const written = whole.concat(ofFamily?.columns.get(qualifier.toString('latin1')) ?? [])
    // Each deletion of "the newest version" takes the one behind that of the deletion before.
    let newest = 0
    for (const { timestamp } of written) if (timestamp === LATEST_TIMESTAMP) newest++
    const covers = yield* mapInSteps(written, ({ type, timestamp }): Cover => {
      if (timestamp !== LATEST_TIMESTAMP) return { until: timestamp, left: hidesOlder(type) ? Infinity : 1 }
      // The newest version may have a time to come. All other changes are written now.
      if (type === CellType.Delete) return { until: LATEST_TIMESTAMP, left: newest }
      return { until: this.#now, left: hidesOlder(type) ? Infinity : 1 }
    })
    return yield* sortInSteps(covers, (a, b) => (a.until < b.until ? -1 : a.until > b.until ? 1 : 0))
  }
}

function hidesOlder(type: number): boolean {
  return type === CellType.DeleteColumn || type === CellType.DeleteFamily
}
