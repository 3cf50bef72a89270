import type { UserPermission } from '../../../../model/permission.ts'
import { Grants } from './grants.ts'

/** The present permissions. They are read again after a change; where other servers may change them, also when they are old. */
export class CurrentGrants {
  readonly #read: () => Promise<readonly UserPermission[]>
  readonly #ageMsMax: number
  readonly #now: () => number
  #grants: Grants | undefined
  #readAt = 0
  /** Counts changes: permissions that were read before a change are not used. */
  #changes = 0
  #reading: Promise<Grants> | undefined

  /** `ageMsMax`: Infinity where no other server changes them. `now`: milliseconds since any fixed moment. */
  constructor(
    read: () => Promise<readonly UserPermission[]>,
    ageMsMax: number,
    now: () => number = () => performance.now(),
  ) {
    this.#read = read
    this.#ageMsMax = ageMsMax
    this.#now = now
  }

  /** The permissions: at once where they need not be read. Rejects like reads of a table. */
  get(): Grants | Promise<Grants> {
    const grants = this.#grants
    if (grants !== undefined && !this.#areOld()) return grants
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  #areOld(): boolean {
    // Each call comes here: the clock is read only where the age matters.
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
