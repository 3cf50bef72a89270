import type { OpeningProgress } from '../store/opening-progress.ts'
import type { Store } from '../store/store.ts'

export type PairFacts = Readonly<Record<string, string | number>>

export type LifePhase = 'starting' | 'serving' | 'stopping'

/** The phase of a server between its start and its end. The web door is open in all phases. */
export class ServerLife {
  readonly #open: readonly string[]
  #openByStore: readonly string[] = []
  readonly #troubles: () => readonly string[]
  #pair: () => PairFacts | undefined = () => undefined
  #opening: () => OpeningProgress | undefined = () => undefined
  #phase: LifePhase = 'starting'
  #store: Store | undefined

  /** `open`: see the field. `troubles`: failures of the server beside its store's, as sentences. */
  constructor(open: readonly string[] = [], troubles: () => readonly string[] = () => []) {
    this.#open = open
    this.#troubles = troubles
  }

  /** The life of a server that serves already. */
  static serving(store: Store): ServerLife {
    const life = new ServerLife()
    life.serves(store)
    return life
  }

  /** The access that the settings and the store leave to other machines and users, as sentences. */
  get open(): readonly string[] {
    return [...this.#open, ...this.#openByStore]
  }

  /** Replaces the part of `open` that is due to the store, which is known once the store is open. */
  leavesOpen(byStore: readonly string[]): void {
    this.#openByStore = byStore
  }

  /** How far the opening of the store has come; undefined: it does nothing that lasts, or is done. */
  get opening(): OpeningProgress | undefined {
    return this.#phase === 'starting' ? this.#opening() : undefined
  }

  /** `progress`: of the work that the start does from now on. */
  opens(progress: () => OpeningProgress | undefined): void {
    this.#opening = progress
  }

  get phase(): LifePhase {
    return this.#phase
  }

  /** The store; undefined until it is open. */
  get store(): Store | undefined {
    return this.#store
  }

  /** Failures of the server beside its store's, as sentences. */
  get troubles(): readonly string[] {
    return this.#troubles()
  }

  /** The server's part in a pair of leader and standby; undefined: it is alone. */
  get pair(): PairFacts | undefined {
    return this.#pair()
  }

  describes(pair: () => PairFacts | undefined): void {
    this.#pair = pair
  }

  serves(store: Store): void {
    this.#store = store
    this.#phase = 'serving'
  }

  stops(): void {
    this.#phase = 'stopping'
  }
}
