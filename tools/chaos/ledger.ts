/** The answers to the writers: the least and the most that the table may hold at any time and in the end. */

interface DataRow {
  /** The newest version whose write was acknowledged; 0: none. */
  acknowledged: number
  /** Newer versions with unknown outcomes. */
  unknown: number[]
  newest: number
}

interface Counter {
  acknowledged: number
  unknown: number
}

interface Log {
  readonly acknowledged: Set<string>
  readonly unknown: Set<string>
}

/** The versions that a scan that begins now must find. */
export type Snapshot = ReadonlyMap<string, number>

export class Ledger {
  readonly #rows = new Map<string, DataRow>()
  readonly counters: Map<string, Counter> = new Map()
  readonly logs: Map<string, Log> = new Map()
  readonly chains: Map<string, Log> = new Map()
  #lastVersion = 0

  /** Versions are unique in the table and are the timestamps too: a repeated write is one write. */
  nextVersion(): number {
    return ++this.#lastVersion
  }

  /** A write is about to be sent. One at a time for a row. */
  begin(row: string, version: number): void {
    const state = this.#rows.get(row) ?? { acknowledged: 0, unknown: [], newest: 0 }
    this.#rows.set(row, state)
    state.unknown.push(version)
    state.newest = version
  }

  acknowledge(row: string, version: number): void {
    const state = this.#rows.get(row)!
    state.acknowledged = version
    state.unknown = state.unknown.filter((other) => other > version)
  }

  /** The newest acknowledged version of a row; 0: none. */
  acknowledged(row: string): number {
    return this.#rows.get(row)?.acknowledged ?? 0
  }

  get rowCount(): number {
    return this.#rows.size
  }

  /** Rows and their acknowledged versions. */
  snapshot(): Snapshot {
    const rows = [...this.#rows].filter(([, { acknowledged }]) => acknowledged > 0)
    return new Map(rows.map(([row, { acknowledged }]) => [row, acknowledged]))
  }

  /** Whether the row may be seen with that version by a reader that began when `least` was acknowledged. */
  mayBeSeen(row: string, version: number, least: number): boolean {
    const state = this.#rows.get(row)
    return state !== undefined && version >= least && version <= state.newest
  }

  /** Whether the row may have that version when no write is under way any more. */
  mayBeFinal(row: string, version: number): boolean {
    const state = this.#rows.get(row)
    return state !== undefined && (version === state.acknowledged || state.unknown.includes(version))
  }

  counter(row: string): Counter {
    return valueOf(this.counters, row, () => ({ acknowledged: 0, unknown: 0 }))
  }

  log(row: string): Log {
    return valueOf(this.logs, row, newLog)
  }

  chain(row: string): Log {
    return valueOf(this.chains, row, newLog)
  }
}

function newLog(): Log {
  return { acknowledged: new Set(), unknown: new Set() }
}

function valueOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
