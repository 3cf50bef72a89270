/** What tables may have had at each moment, as their writers know it: the beginning and the acknowledgement of every change. Times are milliseconds since 1970. */

/** A change of one row, or of the existence of a table. */
export interface Change {
  readonly begunAt: number
  /** Infinity: not acknowledged, or refused. */
  acknowledgedAt: number
  /** Undefined: it is gone. */
  readonly value: string | undefined
}

/** The changes of one thing. One follows the other: none begins before the end of the one before. */
export class Timeline {
  readonly #changes: Change[] = []

  begin(begunAt: number, value: string | undefined): Change {
    const change = { begunAt, acknowledgedAt: Number.POSITIVE_INFINITY, value }
    this.#changes.push(change)
    return change
  }

  /** The values that it may have had at the end of a millisecond: the last acknowledged one, and those of changes that were under way. */
  possibleAt(time: number): ReadonlySet<string | undefined> {
    const last = this.#changes.findLastIndex(({ acknowledgedAt }) => acknowledgedAt <= time)
    const later = this.#changes.slice(last + 1).filter(({ begunAt }) => begunAt <= time)
    return new Set([last < 0 ? undefined : this.#changes[last]!.value, ...later.map(({ value }) => value)])
  }
}

export class TableHistory {
  readonly name: string
  /** Its value is the table's name. */
  readonly existence: Timeline = new Timeline()
  readonly #rows = new Map<string, Timeline>()

  constructor(name: string) {
    this.name = name
  }

  row(key: string): Timeline {
    const row = this.#rows.get(key) ?? new Timeline()
    this.#rows.set(key, row)
    return row
  }

  mayExistAt(time: number): boolean {
    return this.existence.possibleAt(time).has(this.name)
  }

  /** Sentences about what differs. `found`: the values of the rows of a store as of that time; undefined: it does not have the table. */
  differences(time: number, found: ReadonlyMap<string, string> | undefined): string[] {
    const { name } = this
    if (found === undefined)
      return this.existence.possibleAt(time).has(undefined) ? [] : [`the table ${name} is missing`]
    if (!this.mayExistAt(time)) return [`the table ${name} is there`]
    const wrong: string[] = []
    for (const [key, row] of this.#rows) {
      const possible = row.possibleAt(time)
      const value = found.get(key)
      if (!possible.has(value))
        wrong.push(`${name} ${key} has ${textOf(value)}, and not ${[...possible].map(textOf).join(' or ')}`)
    }
    for (const key of found.keys()) if (!this.#rows.has(key)) wrong.push(`${name} ${key} was never written`)
    return wrong
  }
}

function textOf(value: string | undefined): string {
  return value ?? 'nothing'
}
