import { abbreviated } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Flushes } from '../../../src/store/upkeep.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { Engine } from '../engine/engine.ts'

export class NativeFlushes implements Flushes {
  readonly #engine: Engine
  readonly #compactor: Compactor

  constructor(engine: Engine, compactor: Compactor) {
    this.#engine = engine
    this.#compactor = compactor
  }

  flushTable(name: TableName, call: Call): Promise<void> {
    const { calls, tables, flusher } = this.#engine
    return calls.change(call, async () => {
      const table = tables.get(name)
      if (!table.isEnabled) throw new HBaseError('TABLE_NOT_ENABLED', name)
      // One that was split meanwhile has nothing in memory.
      await flusher.flushAll(table.regions, () => calls.checkIsAwaited(call))
    })
  }

  /** Flushes all families even if one is named: the log is trimmed only up to what all of them have flushed. */
  flushRegion(name: Buffer, family: Buffer | undefined, call: Call): Promise<boolean> {
    const { calls, tables, flusher } = this.#engine
    return calls.change(call, async () => {
      const region = tables.regionNamed(name)
      if (region === undefined) {
        throw new HBaseError('ILLEGAL_ARGUMENT', `Invalid region: ${abbreviated(name)}`)
      }
      region.checkServed()
      if (family !== undefined) region.checkFamily(family)
      const { hasUnflushedCells } = region
      await flusher.flush(region)
      // HBase: RSRpcServices.flushRegion does so; the master's flush of a table does not.
      this.#compactor.flushed(region)
      return hasUnflushedCells
    })
  }
}
