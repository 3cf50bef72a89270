import type { UserPermission } from '../../../../model/permission.ts'
import { Grants } from './grants.ts'

/** The permissions as they are now. They are read again once they have changed, and where others may change them once they are old. */
export class CurrentGrants {
  readonly #read: () => Promise<readonly UserPermission[]>
  readonly #ageMsMax: number
  readonly #now: () => number
  #grants: Grants | undefined
  #readAt = 0
  /** How often the permissions have changed: what was read before a change does not count. */
  #changes = 0
  #reading: Promise<Grants> | undefined

  /** `ageMsMax`: Infinity where nobody else changes them. `now`: milliseconds since any fixed moment. */
  constructor(
    read: () => Promise<readonly UserPermission[]>,
    ageMsMax: number,
    now: () => number = () => performance.now(),
  ) {
    this.#read = read
    this.#ageMsMax = ageMsMax
    this.#now = now
  }

  /** At once where they need not be read. Rejects as reads of a table do. */
  get(): Grants | Promise<Grants> {
    const grants = this.#grants
    if (grants !== undefined && !this.#areOld()) return grants
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  #areOld(): boolean {
    // The clock is read for those only whom it concerns: each call asks.
    return Number.isFinite(this.#ageMsMax) && this.#now() - this.#readAt > this.#ageMsMax
  }

  changed(): void {
    this.#grants = undefined
    this.#changes++
  }

  async #readAll(): Promise<Grants> {
    for (;;) {
      const [changes, readAt] = [this.#changes, this.#now()]
      const grants = new Grants(await this.#read())
      if (changes !== this.#changes) continue
      this.#grants = grants
      this.#readAt = readAt
      return grants
    }
  }
}
