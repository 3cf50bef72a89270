import type { Call } from '../../../src/store/call.ts'
import type { Switches, SwitchName } from '../../../src/store/upkeep.ts'
import type { EngineCalls } from '../engine/engine-calls.ts'
import type { CatalogLog } from '../manifest/catalog-log.ts'

/** The switches stand in the manifest, so that they outlast a stop. */
export class NativeSwitches implements Switches {
  readonly #parts: { readonly calls: EngineCalls; readonly catalogLog: CatalogLog }

  constructor(parts: { readonly calls: EngineCalls; readonly catalogLog: CatalogLog }) {
    this.#parts = parts
  }

  async isOn(name: SwitchName): Promise<boolean> {
    return !this.#parts.catalogLog.catalog.off.has(name)
  }

  turn(name: SwitchName, on: boolean, call: Call): Promise<boolean> {
    const { calls, catalogLog } = this.#parts
    return calls.change(call, async () => {
      const before = !catalogLog.catalog.off.has(name)
      if (before !== on) await catalogLog.commit({ kind: 'switch', name, isOn: on })
      return before
    })
  }
}
