import { abbreviated } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { eachInTurns } from '../../../src/model/many-a-turn.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { CompactionState } from '../../../src/store/region-figures.ts'
import type { Compaction, Compactions } from '../../../src/store/upkeep.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { Engine } from '../engine/engine.ts'
import type { Region } from '../region/region.ts'

export class NativeCompactions implements Compactions {
  readonly #engine: Engine
  readonly #compactor: Compactor

  constructor(engine: Engine, compactor: Compactor) {
    this.#engine = engine
    this.#compactor = compactor
  }

  async compactTable(name: TableName, compaction: Compaction, call: Call): Promise<void> {
    const { calls, tables } = this.#engine
    calls.check(call)
    const table = tables.get(name)
    if (!table.isEnabled) throw new HBaseError('TABLE_NOT_ENABLED', name)
    await eachInTurns(table.regions, (region) => this.#compact(region, compaction))
  }

  async compactRegion(name: Buffer, compaction: Compaction, call: Call): Promise<void> {
    const { calls, tables } = this.#engine
    calls.check(call)
    const region = tables.regionNamed(name)
    if (region === undefined) {
      throw new HBaseError('ILLEGAL_ARGUMENT', `Invalid region: ${abbreviated(name)}`)
    }
    region.checkServed()
    this.#compact(region, compaction)
  }

  async compactionState(name: TableName, call: Call): Promise<CompactionState> {
    const { calls, tables } = this.#engine
    calls.check(call)
    return this.#compactor.stateOf(tables.get(name).regions)
  }

  #compact(region: Region, { family, major }: Compaction): void {
    if (family !== undefined) region.checkFamily(family)
    for (const store of region.stores) {
      if (family === undefined || store.descriptor.name.equals(family))
        this.#compactor.request(region, store, major)
    }
  }
}
