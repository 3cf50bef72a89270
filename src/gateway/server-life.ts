import type { Store } from '../store/store.ts'

export type LifePhase = 'starting' | 'serving' | 'stopping'

/** Where a server is between its start and its end: the web door is open all the while. */
export class ServerLife {
  readonly #open: readonly string[]
  #openByStore: readonly string[] = []
  readonly #troubles: () => readonly string[]
  #phase: LifePhase = 'starting'
  #store: Store | undefined

  /** `troubles`: those of the server beside its store's, as sentences. */
  constructor(open: readonly string[] = [], troubles: () => readonly string[] = () => []) {
    this.#open = open
    this.#troubles = troubles
  }

  /** A server that serves already. */
  static serving(store: Store): ServerLife {
    const life = new ServerLife()
    life.serves(store)
    return life
  }

  /** The openings that the settings and the store leave to others than this machine or its users, as sentences. */
  get open(): readonly string[] {
    return [...this.#open, ...this.#openByStore]
  }

  /** Those of the store, instead of those that it had. Known once it is open. */
  leavesOpen(byStore: readonly string[]): void {
    this.#openByStore = byStore
  }

  get phase(): LifePhase {
    return this.#phase
  }

  /** Undefined until the store is open. */
  get store(): Store | undefined {
    return this.#store
  }

  /** Failures of the server beside its store, while it serves. */
  get troubles(): readonly string[] {
    return this.#troubles()
  }

  serves(store: Store): void {
    this.#store = store
    this.#phase = 'serving'
  }

  stops(): void {
    this.#phase = 'stopping'
  }
}
