import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { RegionSizes, TableSize } from '../../../src/store/quotas.ts'
import type { Engine } from '../engine/engine.ts'

/** HBase: FileSystemUtilizationChore.computeSize. */
export class NativeSizes implements RegionSizes {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async tableSizes(call: Call): Promise<TableSize[]> {
    const { calls, tables } = this.#engine
    calls.check(call)
    const bytesOf = new Map<TableName, number>()
    for (const { table, stores } of tables.regions.values()) {
      const bytes = stores.reduce((sum, { fileBytes }) => sum + fileBytes, 0)
      bytesOf.set(table.name, (bytesOf.get(table.name) ?? 0) + bytes)
    }
    return [...bytesOf].map(([table, bytes]) => ({ table, bytes: BigInt(bytes) }))
  }
}
