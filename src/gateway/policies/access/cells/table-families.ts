import { compareBytes, EMPTY } from '../../../../model/bytes.ts'
import { CellType } from '../../../../model/cell.ts'
import { type CellBlock, CellCursor } from '../../../../model/cell-block.ts'
import type { TableDescriptor } from '../../../../model/descriptor.ts'
import type { HBaseError } from '../../../../model/errors.ts'
import { inTurnsIfMany } from '../../../../model/many-a-turn.ts'
import type { Steps } from '../../../../model/steps.ts'
import type { TableName } from '../../../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../../../store/call.ts'
import type { Catalog } from '../../../../store/catalog.ts'
import type { FamilyMap } from '../denials.ts'

/** The families of the table of a request, read once, and only for users who may not do everything with the table. */
export class TableFamilies {
  readonly table: TableName
  readonly #catalog: Pick<Catalog, 'table'>
  readonly #call: Call
  #descriptor: Promise<TableDescriptor> | undefined

  constructor(catalog: Pick<Catalog, 'table'>, table: TableName, call: Call) {
    this.#catalog = catalog
    this.table = table
    this.#call = call
  }

  /** The table's descriptor. Throws TABLE_NOT_FOUND. */
  descriptor(): Promise<TableDescriptor> {
    this.#descriptor ??= this.#catalog.table(this.table, onOwnBehalf(this.#call))
    return this.#descriptor
  }

  /** The names of the families. Throws TABLE_NOT_FOUND. */
  async names(): Promise<readonly Buffer[]> {
    const { families } = await this.descriptor()
    return families.map(({ name }) => name)
  }

  /** Returns the refusal, but throws TABLE_NOT_FOUND where there is no such table, which every user may know. */
  async refused(refusal: HBaseError): Promise<HBaseError> {
    await this.names()
    return refusal
  }

  /**
   * The columns that a mutation names, ordered by family. The deletion of a row names every family of the table. The deletion of a
   * family names the whole family; the qualifier of its cell is ignored.
   */
  async ofCells(block: CellBlock): Promise<FamilyMap> {
    const { byteLength } = block
    const named = await inTurnsIfMany(byteLength, columnsInSteps(block, undefined))
    if (named !== undefined) return named
    return (await inTurnsIfMany(byteLength, columnsInSteps(block, await this.names()))) ?? []
  }
}

/** Cells that are read in one step. */
const STEP_CELLS = 256

/** `families`: those of the table. Undefined where these are not given and a cell deletes a whole row. */
function* columnsInSteps(
  block: CellBlock,
  families: readonly Buffer[] | undefined,
): Steps<FamilyMap | undefined> {
  const found = new Map<string, [Buffer, Buffer[]]>()
  const add = (family: Buffer, qualifier: Buffer): void => {
    const key = family.toString('latin1')
    const known = found.get(key)
    if (known === undefined) found.set(key, [family, [qualifier]])
    else known[1].push(qualifier)
  }
  const cursor = new CellCursor(block)
  for (let count = 1; cursor.next(); count++) {
    if (count % STEP_CELLS === 0) yield
    const { family, qualifier: named, type } = cursor.parts()
    const qualifier = isOfFamily(type) ? EMPTY : named
    if (family.length > 0) add(family, qualifier)
    else if (families === undefined) return undefined
    else for (const name of families) add(name, qualifier)
  }
  return [...found.values()].sort(([a], [b]) => compareBytes(a, b))
}

function isOfFamily(type: number): boolean {
  return type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion
}
