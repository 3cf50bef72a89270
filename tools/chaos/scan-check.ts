/** Checks the rows of one scan: each row once, in order, whole. */

import { type ScanSpec, type SeenCell, type SeenRow, versionOf } from './door-client.ts'
import type { Findings } from './findings.ts'
import type { Ledger, Snapshot } from './ledger.ts'
import { DATA_QUALIFIERS, Family, WIDE_COLUMNS, WIDE_ROWS, WIDE_VALUE_BYTES } from './settings.ts'

export const LOST = 'no row is lost by a scan'
const REPEATED = 'no row or cell comes twice, and all in order'
const TORN = 'no row is torn'

export class ScanCheck {
  readonly #findings: Findings
  readonly #spec: ScanSpec
  readonly #name: string
  readonly #ledger: Ledger
  readonly #before: Snapshot
  readonly #seen = new Set<string>()
  #row: string | undefined
  #cells: SeenCell[] = []
  /** Rows that batches cut in two and whose second part is newer: a resumed scanner cannot avoid it. */
  mixed = 0

  /** Call it before the scan opens. */
  constructor(findings: Findings, ledger: Ledger, name: string, spec: ScanSpec) {
    this.#findings = findings
    this.#ledger = ledger
    this.#name = `${name} ${JSON.stringify(spec)}`
    this.#spec = spec
    this.#before = spec.family === Family.wide ? new Map(WIDE_ROWS.map((row) => [row, 1])) : ledger.snapshot()
  }

  get rows(): number {
    return this.#seen.size
  }

  add({ row, cells }: SeenRow): void {
    if (row !== this.#row) {
      this.#endRow()
      const inOrder = this.#row === undefined || (this.#spec.reversed ? row < this.#row : row > this.#row)
      this.#findings.check(REPEATED, inOrder, () => `${this.#name}: ${row} after ${this.#row}`)
      this.#row = row
      this.#seen.add(row)
    }
    for (const cell of cells) {
      const last = this.#cells.at(-1)
      if (last !== undefined && cell.qualifier <= last.qualifier) {
        this.#findings.fail(REPEATED, `${this.#name}: ${row}: ${cell.qualifier} after ${last.qualifier}`)
      }
      this.#cells.push(cell)
    }
  }

  /** The scan has ended; `whole`: completely. */
  end(whole: boolean): void {
    // The scan may have ended within a row that batches cut.
    if (whole || this.#spec.batch === 0) this.#endRow()
    const { limit, reversed } = this.#spec
    const isAtLimit = limit > 0 && this.rows >= limit
    this.#findings.check(LOST, limit === 0 || this.rows <= limit, () => `${this.#name}: ${this.rows} rows`)
    const last = this.#row
    const reached = (row: string): boolean => {
      if (whole && !isAtLimit) return true
      return last !== undefined && (reversed ? row >= last : row <= last)
    }
    const lost = [...this.#before.keys()].filter(
      (row) => this.#isAsked(row) && reached(row) && !this.#seen.has(row),
    )
    const detail = (): string =>
      `${this.#name}: ${lost.length} rows, as ${lost.slice(0, 5).join()}; last ${last}`
    this.#findings.check(LOST, lost.length === 0, detail)
  }

  #isAsked(row: string): boolean {
    const { start, stop, reversed } = this.#spec
    const fromStart = start === '' || (reversed ? row <= start : row >= start)
    return fromStart && (stop === '' || (reversed ? row > stop : row < stop))
  }

  #endRow(): void {
    const row = this.#row
    const cells = this.#cells
    if (row === undefined) return
    this.#cells = []
    this.#findings.check(LOST, this.#isAsked(row), () => `${this.#name}: ${row} was not asked for`)
    if (this.#spec.family === Family.wide) {
      const isWhole =
        cells.length === WIDE_COLUMNS && cells.every(({ value }) => value.length === WIDE_VALUE_BYTES)
      this.#findings.check(TORN, isWhole, () => `${this.#name}: ${row}: ${cells.length} wide cells`)
      return
    }
    const versions = cells.map(({ value }) => versionOf(value))
    const text = (): string =>
      `${this.#name}: ${row}: ${cells.map(({ qualifier }, i) => `${qualifier}=${versions[i]}`).join()}`
    const least = this.#before.get(row) ?? 0
    const isSane = versions.every((version) => this.#ledger.mayBeSeen(row, version, least))
    this.#findings.check('no old or unwritten version is seen', isSane, () => `${text()}, least ${least}`)
    const isWhole = cells.length === DATA_QUALIFIERS.length && this.#isOfOneWrite(versions)
    this.#findings.check(TORN, isWhole, text)
  }

  #isOfOneWrite(versions: readonly number[]): boolean {
    if (versions.every((version) => version === versions[0])) return true
    if (this.#spec.batch === 0) return false
    this.mixed++
    return versions.every((version, i) => i === 0 || version >= versions[i - 1]!)
  }
}
