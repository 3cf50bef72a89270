import { HBaseError } from '../../../model/errors.ts'
import { OWN_CALL } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import type { ResetListener } from '../../door.ts'
import { AcceptedSockets } from './accepted-sockets.ts'
import { FaultRules, parseFaultRules } from './fault-rules.ts'
import { emptyStore, plantSeed } from './reset.ts'
import { parseSeed, type Seed } from './seed.ts'
import { withFaults } from './with-faults.ts'

/** What tests may do to a server beside using it. Anybody who reaches the web door may, so that it is never on by itself. */
export class TestMode {
  readonly #seed: Seed
  readonly #rules = new FaultRules()
  readonly #sockets = new AcceptedSockets()
  #store: Store | undefined
  readonly #listeners: ResetListener[] = []
  #last: Promise<unknown> = Promise.resolve()

  /** `seed`: as parsed JSON. Throws ILLEGAL_ARGUMENT for what is none. */
  constructor(seed: unknown = {}) {
    this.#seed = parseSeed(seed)
  }

  /** The store that doors get. An empty one gets the seed. */
  async over<Own extends Store>(store: Own): Promise<Store & Pick<Own, 'catalog'>> {
    this.#store = store
    const { catalog } = store
    const isEmpty = (await catalog.listTables(OWN_CALL)).length === 0
    if (isEmpty) await plantSeed(store, this.#seed)
    return withFaults(store, this.#rules, (call) => this.#sockets.cut(call))
  }

  /** No faults, and the store as it was at the begin: with its seed, or with another one that is given as JSON. */
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

  /** For doors that keep tables of their own, or remember what the store has. */
  onReset(listener: ResetListener): void {
    this.#listeners.push(listener)
  }

  /** Replaces all rules; none end the faults. Throws ILLEGAL_ARGUMENT for what are no rules. */
  setFaults(json: unknown): void {
    this.#rules.set(parseFaultRules(json))
  }

  /** How many faults each rule has made, in their order. */
  get faultsMade(): readonly number[] {
    return this.#rules.made
  }

  close(): void {
    this.#sockets.close()
  }
}
