/** The requests by which tests empty a server in test mode and ask it for faults: docs/testing.md of Tidegate. */

export type FaultedCall = 'get' | 'scan' | 'next' | 'write'
export type FaultError =
  | 'NotServingRegion'
  | 'RegionTooBusy'
  | 'CallQueueTooBig'
  | 'RpcThrottling'
  | 'RegionServerStopped'
  | 'Timeout'
  | 'AccessDenied'
  | 'IO'

/** Which calls fail, when and how. The server checks a rule, and says which part of it is wrong. */
export interface FaultRule {
  /** None: all calls. */
  readonly on?: readonly FaultedCall[]
  /** `table` or `namespace:table`; none: all tables. */
  readonly table?: string
  /** Calls that pass before the first fault. */
  readonly after?: number
  /** Faults before the rule is spent; none: it never is. */
  readonly times?: number
  readonly delayMs?: number
  readonly error?: FaultError
  /** Of a batch of writes each n-th fails with the error. */
  readonly failEach?: number
  readonly loseScanner?: boolean
  readonly hangUp?: 'before' | 'after'
}

export type SeedValue = string | readonly { readonly value: string; readonly timestamp?: string }[]

/** Namespaces, tables and rows. In texts `\xHH` is any byte. */
export interface Seed {
  readonly namespaces?: readonly string[]
  readonly tables?: readonly {
    readonly name: string
    readonly families: readonly (string | { readonly name: string; readonly [attribute: string]: string })[]
    readonly splits?: readonly string[]
    readonly rows?: { readonly [row: string]: { readonly [column: string]: SeedValue } }
  }[]
}

/** A server in test mode, by the address of its web door. */
export class TestRequests {
  readonly #webUrl: string
  readonly #seed: Seed

  constructor(webUrl: string, seed: Seed = {}) {
    this.#webUrl = webUrl
    this.#seed = seed
  }

  /** Drops all tables, ends all faults, and makes the tables of the seed: of the server's own, if none is given here. */
  async reset(seed: Seed = this.#seed): Promise<void> {
    await this.#ask('POST', '/_test/reset', seed)
  }

  /** From now on the server has these rules and no others. */
  async fault(...rules: readonly FaultRule[]): Promise<void> {
    await this.#ask('PUT', '/_test/faults', rules)
  }

  /** Faults that each rule has made, in the order of the rules. */
  async faultsMade(): Promise<readonly number[]> {
    const { made } = (await this.#ask('GET', '/_test/faults')) as { readonly made: readonly number[] }
    return made
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${this.#webUrl}${path}`, { method, ...init })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`Tidegate refuses ${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
}
