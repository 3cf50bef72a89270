import type { Call } from '../../../src/store/call.ts'
import type { Switches, SwitchName } from '../../../src/store/upkeep.ts'
import type { Engine } from '../engine/engine.ts'

/** The switches stand in the manifest, so that they outlast a stop. */
export class NativeSwitches implements Switches {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async isOn(name: SwitchName): Promise<boolean> {
    return !this.#engine.catalogLog.catalog.off.has(name)
  }

  turn(name: SwitchName, on: boolean, call: Call): Promise<boolean> {
    const { calls, catalogLog } = this.#engine
    return calls.change(call, async () => {
      const before = !catalogLog.catalog.off.has(name)
      if (before !== on) await catalogLog.commit({ kind: 'switch', name, isOn: on })
      return before
    })
  }
}
