/** The tables as the patterns use them: a row is a key and an object. */

import { type Cell, type NewCell, RestClient, type RestTable } from '../shared/rest-table.ts'
import type { AdObject, StoredObject } from './hierarchy.ts'
import { COLUMN, type TableName } from './tables.ts'

const OBJECTS_PER_BATCH = 5000

export class AdTables {
  readonly client: RestClient

  constructor(host: string, port: number) {
    this.client = new RestClient(host, port)
  }

  of(name: TableName): RestTable {
    return this.client.table(name)
  }

  /** Returns how many objects there were. */
  async store(objects: Iterable<StoredObject>, timestamp: number): Promise<number> {
    const waiting = new Map<TableName, StoredObject[]>()
    let count = 0
    for (const object of objects) {
      const batch = waiting.get(object.table) ?? []
      waiting.set(object.table, batch)
      batch.push(object)
      count++
      if (batch.length === OBJECTS_PER_BATCH) await this.#put(object.table, batch.splice(0), timestamp)
    }
    for (const [table, batch] of waiting) await this.#put(table, batch, timestamp)
    return count
  }

  async #put(table: TableName, objects: readonly StoredObject[], timestamp: number): Promise<void> {
    const cells = objects.map(({ key, object }) => newCell(key, object, timestamp))
    await this.of(table).put(cells)
  }
}

/** Without a time it gets the server's. */
export function newCell(key: string, object: AdObject, timestamp?: number): NewCell {
  const cell = { key, column: COLUMN, $: JSON.stringify(object) }
  return timestamp === undefined ? cell : { ...cell, timestamp }
}

export function objectOf({ $ }: Cell): AdObject {
  return JSON.parse($) as AdObject
}

/** How the patterns show a row. */
export function shown({ key, $ }: Cell): string {
  return `${key.padEnd(12)} ${$}`
}

export function keysOf(cells: readonly Cell[]): string[] {
  return cells.map(({ key }) => key)
}
