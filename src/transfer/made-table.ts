/** The table of an import that makes it: of HBase's defaults, with the families that the cells have, or that the user has named. */

import { CellCursor } from '../model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../model/descriptor.ts'
import { isHBaseError } from '../model/errors.ts'
import { DEFAULT_NAMESPACE, namespaceOf, type TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Catalog } from '../store/catalog.ts'
import type { ReadCells } from './formats/cell-format.ts'

type UsedCatalog = Pick<
  Catalog,
  'tableExists' | 'createTable' | 'modifyTable' | 'listNamespaces' | 'createNamespace'
>

export class MadeTable {
  readonly #catalog: UsedCatalog
  readonly #table: TableName
  readonly #call: Call
  /** By their names in latin1; undefined: the table was there, and is not changed. */
  #families: Set<string> | undefined

  private constructor(catalog: UsedCatalog, table: TableName, call: Call, families: Set<string> | undefined) {
    this.#catalog = catalog
    this.#table = table
    this.#call = call
    this.#families = families
  }

  /** `families`: of a table that is not there, which is made at once; undefined: it is made with the first cells, and gets those of all cells. */
  static async open(
    catalog: UsedCatalog,
    table: TableName,
    families: readonly Buffer[] | undefined,
    call: Call,
  ): Promise<MadeTable> {
    if (await catalog.tableExists(table, call)) return new MadeTable(catalog, table, call, undefined)
    const made = new MadeTable(catalog, table, call, new Set())
    if (families === undefined) return made
    await made.#add(families)
    return new MadeTable(catalog, table, call, undefined)
  }

  /** Has the table take these cells. */
  async take({ cells }: Pick<ReadCells, 'cells'>): Promise<void> {
    const known = this.#families
    if (known === undefined) return
    const missing = new Map<string, Buffer>()
    for (const cursor = new CellCursor(cells); cursor.next(); ) {
      const { buffer, familyOffset, familyLength } = cursor
      const name = buffer.toString('latin1', familyOffset, familyOffset + familyLength)
      if (!known.has(name) && !missing.has(name)) missing.set(name, Buffer.from(name, 'latin1'))
    }
    if (missing.size > 0) await this.#add([...missing.values()])
  }

  /** Throws an Error where the table is not made: there was no cell. */
  checkIsMade(): void {
    if (this.#families?.size === 0)
      throw new Error(
        `there are no cells, by whose families ${this.#table} could be made: name them, as --families f,g`,
      )
  }

  async #add(names: readonly Buffer[]): Promise<void> {
    const [catalog, table, call] = [this.#catalog, this.#table, this.#call]
    const families = names.map((name) => familyDescriptor(name, []))
    if (this.#families!.size === 0) {
      await this.#makeNamespace()
      await catalog.createTable(tableDescriptor(table, families, []), [], call)
    } else await catalog.modifyTable({ name: table, alteration: { kind: 'putFamilies', families } }, call)
    for (const name of names) this.#families!.add(name.toString('latin1'))
  }

  async #makeNamespace(): Promise<void> {
    const name = namespaceOf(this.#table)
    if (name === DEFAULT_NAMESPACE) return
    const known = await this.#catalog.listNamespaces(this.#call)
    if (known.some((each) => each.name === name)) return
    await this.#catalog
      .createNamespace({ name, properties: new Map() }, this.#call)
      .catch((error: unknown) => {
        if (!isHBaseError(error) || error.code !== 'NAMESPACE_EXISTS') throw error
      })
  }
}
