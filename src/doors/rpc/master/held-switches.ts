import type { Call } from '../../../store/call.ts'
import type { Permissions } from '../../../store/permissions.ts'
import type { Switches, SwitchName } from '../../../store/upkeep.ts'

/** Switches in memory, for a store that has none. */
export class HeldSwitches implements Switches {
  readonly #off: Set<SwitchName>
  readonly #permissions: Permissions | undefined

  constructor(off: Set<SwitchName>, permissions?: Permissions) {
    this.#off = off
    this.#permissions = permissions
  }

  async isOn(name: SwitchName): Promise<boolean> {
    return !this.#off.has(name)
  }

  async turn(name: SwitchName, on: boolean, call: Call): Promise<boolean> {
    await this.#permissions?.requireAdmin(call)
    const before = !this.#off.has(name)
    if (on) this.#off.delete(name)
    else this.#off.add(name)
    return before
  }
}
