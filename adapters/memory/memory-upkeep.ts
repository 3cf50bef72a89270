import { toStringBinary } from '../../src/model/bytes.ts'
import { HBaseError } from '../../src/model/errors.ts'
import type { TableName } from '../../src/model/table-name.ts'
import type { Call } from '../../src/store/call.ts'
import type { Flushes } from '../../src/store/upkeep.ts'
import type { MemoryTables } from './memory-tables.ts'

/** There are no files to write to: a flush only checks its arguments. */
export class MemoryFlushes implements Flushes {
  readonly #tables: MemoryTables

  constructor(tables: MemoryTables) {
    this.#tables = tables
  }

  async flushTable(name: TableName, call: Call): Promise<void> {
    if (this.#tables.table(name, call).state === 'DISABLED') throw new HBaseError('TABLE_NOT_ENABLED', name)
  }

  async flushRegion(region: Buffer, family: Buffer | undefined, call: Call): Promise<void> {
    this.#tables.check(call)
    const found = [...this.#tables.byName.values()].flatMap((table) =>
      table.regions
        .filter(({ name, encodedName }) => name.equals(region) || region.equals(Buffer.from(encodedName)))
        .map(({ startKey }) => ({ table, startKey })),
    )[0]
    if (found === undefined) {
      throw new HBaseError('ILLEGAL_ARGUMENT', `Invalid region: ${toStringBinary(region)}`)
    }
    if (family !== undefined) found.table.family(family, found.startKey)
  }
}
