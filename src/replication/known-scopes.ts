/**
 * The replicated families of tables. HBase notes them with each write; here they are those of the present descriptor. Changes of a table or a family that
 * was deleted since are sent by the descriptor that was known before, so that the peer gets what was written before the deletion.
 */

import { isHBaseError } from '../model/errors.ts'
import type { TableName } from '../model/table-name.ts'
import { OWN_CALL } from '../store/call.ts'
import type { Catalog } from '../store/catalog.ts'
import { replicatedFamilies } from './chosen-changes.ts'

/** Deleted tables that are remembered. */
const DELETED_MAX = 1000

interface Known {
  readonly scopes: readonly Buffer[]
  /** Of all families, as latin1 text; undefined: the table is gone. */
  readonly families: ReadonlySet<string> | undefined
}

export class KnownScopes {
  readonly #catalog: Pick<Catalog, 'table'>
  readonly #known = new Map<TableName, Known>()

  constructor(catalog: Pick<Catalog, 'table'>) {
    this.#catalog = catalog
  }

  /** Reads the descriptors of the tables. */
  async look(tables: ReadonlySet<TableName>): Promise<void> {
    for (const table of tables) {
      const before = this.#known.get(table)
      this.#known.delete(table)
      this.#known.set(table, await this.#read(table, before))
      const oldest = this.#known.keys().next()
      if (this.#known.size > DELETED_MAX && oldest.value !== table) this.#known.delete(oldest.value!)
    }
  }

  /** The families of the table that are replicated, as of the last look. */
  scopesOf(table: TableName): readonly Buffer[] {
    return this.#known.get(table)?.scopes ?? []
  }

  isGone(table: TableName): boolean {
    return this.#known.get(table)?.families === undefined
  }

  isFamilyGone(table: TableName, family: string): boolean {
    return this.#known.get(table)?.families?.has(family) !== true
  }

  async #read(table: TableName, before: Known | undefined): Promise<Known> {
    try {
      const descriptor = await this.#catalog.table(table, OWN_CALL)
      const families = new Set(descriptor.families.map(({ name }) => name.toString('latin1')))
      const deleted = before?.scopes.filter((family) => !families.has(family.toString('latin1'))) ?? []
      return { scopes: [...replicatedFamilies(descriptor), ...deleted], families }
    } catch (error) {
      if (!isHBaseError(error) || error.code !== 'TABLE_NOT_FOUND') throw error
      return { scopes: before?.scopes ?? [], families: undefined }
    }
  }
}
