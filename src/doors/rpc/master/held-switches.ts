import type { Switches, SwitchName } from '../../../store/upkeep.ts'

/** The switches in front of a store without any: they stand as somebody left them for as long as the process runs. */
export class HeldSwitches implements Switches {
  readonly #off = new Set<SwitchName>()

  async isOn(name: SwitchName): Promise<boolean> {
    return !this.#off.has(name)
  }

  async turn(name: SwitchName, on: boolean): Promise<boolean> {
    const before = !this.#off.has(name)
    if (on) this.#off.delete(name)
    else this.#off.add(name)
    return before
  }
}
