import { HBaseError } from '../../../model/errors.ts'
import { OWN_CALL } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import type { ResetListener } from '../../door.ts'
import { AcceptedSockets } from './accepted-sockets.ts'
import { FaultRules, parseFaultRules } from './fault-rules.ts'
import { emptyStore, plantSeed } from './reset.ts'
import { parseSeed, type Seed } from './seed.ts'
import { withFaults } from './with-faults.ts'

/** The control that tests have of a server: faults and resets. Every client of the web door has it, so that it is never on by default. */
export class TestMode {
  readonly #seed: Seed
  readonly #rules = new FaultRules()
  readonly #sockets = new AcceptedSockets()
  #store: Store | undefined
  readonly #listeners: ResetListener[] = []
  #last: Promise<unknown> = Promise.resolve()

  /** `seed`: parsed JSON. Throws ILLEGAL_ARGUMENT where it is no seed. */
  constructor(seed: unknown = {}) {
    this.#seed = parseSeed(seed)
  }

  /** The store for doors. An empty store gets the seed. */
  async over<Own extends Store>(store: Own): Promise<Store & Pick<Own, 'catalog'>> {
    this.#store = store
    const { catalog } = store
    const isEmpty = (await catalog.listTables(OWN_CALL)).length === 0
    if (isEmpty) await plantSeed(store, this.#seed)
    return withFaults(store, this.#rules, (call) => this.#sockets.cut(call))
  }

  /** Removes all faults, and empties the store but for its seed. `json`: another seed. */
  async reset(json?: unknown): Promise<void> {
    const seed = json === undefined ? this.#seed : parseSeed(json)
    const store = this.#store
    if (store === undefined) throw new HBaseError('UNAVAILABLE', 'the store is being opened')
    this.#rules.set([])
    const before = this.#last
    const work = async (): Promise<void> => {
      await before.catch(() => undefined)
      await emptyStore(store)
      await plantSeed(store, seed)
      for (const listener of this.#listeners) await listener()
    }
    const done = work()
    this.#last = done
    await done
  }

  /** Adds a listener for a door that keeps tables of its own, or remembers contents of the store. */
  onReset(listener: ResetListener): void {
    this.#listeners.push(listener)
  }

  /** Replaces all rules; an empty array ends the faults. Throws ILLEGAL_ARGUMENT where they are no rules. */
  setFaults(json: unknown): void {
    this.#rules.set(parseFaultRules(json))
  }

  /** The number of faults of each rule, in the order of the rules. */
  get faultsMade(): readonly number[] {
    return this.#rules.made
  }

  close(): void {
    this.#sockets.close()
  }
}
