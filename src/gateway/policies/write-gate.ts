/** Lets changes of clients into a store, or refuses them, as it is set while the server runs. Reads pass it without a cost. */

import { HBaseError } from '../../model/errors.ts'
import { type Around, intercepted } from '../../store/interceptors.ts'
import type { Store } from '../../store/store.ts'

export class WriteGate {
  #reason: string | undefined
  #underWay = 0
  #waiting: (() => void)[] = []

  /** Changes throw READ_ONLY with the reason from now on. */
  close(reason: string): void {
    this.#reason = reason
  }

  open(): void {
    this.#reason = undefined
  }

  /** Resolves once no change is under way. */
  async idle(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  over<Own extends Store>(store: Own): Store & Pick<Own, 'catalog'> {
    const around: Around = (call, _args, next) => {
      if (this.#reason !== undefined) return Promise.reject(new HBaseError('READ_ONLY', this.#reason))
      const change = next(call) as Promise<unknown>
      this.#underWay++
      change.then(this.#ended, this.#ended)
      return change
    }
    return intercepted(store, ({ changes }) => (changes === 'nothing' ? undefined : around))
  }

  readonly #ended = (): void => {
    this.#underWay--
    if (this.#underWay > 0) return
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
