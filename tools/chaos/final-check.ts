/** Checks the quiet table: it holds every acknowledged write, and writes of unknown outcome wholly or not at all. */

import { headOf, type ScanDoor, type SeenRow, versionOf } from './door-client.ts'
import type { Findings } from './findings.ts'
import type { Ledger } from './ledger.ts'
import { ScanCheck } from './scan-check.ts'
import { Family, SHARED_ROWS } from './settings.ts'

const PAGE = 500

export interface FinalCounts {
  readonly rows: number
  /** The part of the increments with unknown outcome that the counters hold. */
  readonly unknownAmount: number
  readonly unknownApplied: number
  readonly steps: number
  /** Steps that were made although the answer was "refused" or lost. */
  readonly unknownSteps: number
}

export class FinalCheck {
  readonly #findings: Findings
  readonly #ledger: Ledger

  constructor(findings: Findings, ledger: Ledger) {
    this.#findings = findings
    this.#ledger = ledger
  }

  async run(door: ScanDoor): Promise<FinalCounts> {
    const rows = await this.#data(door)
    const increments = await this.#counters(door)
    await this.#logs(door)
    return { rows, ...increments, ...(await this.#chains(door)) }
  }

  async #data(door: ScanDoor): Promise<number> {
    const spec = specOf(Family.data)
    const check = new ScanCheck(this.#findings, this.#ledger, `${door.name}, at the end`, spec)
    const rows = await all(door, Family.data)
    for (const seen of rows) {
      check.add(seen)
      const version = versionOf(seen.cells[0]!.value)
      const holds = this.#ledger.mayBeFinal(seen.row, version)
      this.#findings.check('the last acknowledged write is there', holds, () => `${seen.row}: ${version}`)
    }
    check.end(true)
    return rows.length
  }

  async #counters(door: ScanDoor): Promise<{ unknownAmount: number; unknownApplied: number }> {
    const seen = await byRow(door, Family.counter)
    let unknownAmount = 0
    let unknownApplied = 0
    for (const [row, { acknowledged, unknown }] of this.#ledger.counters) {
      const value = Number(seen.get(row)?.cells[0]?.value.readBigInt64BE() ?? 0n)
      const holds = value >= acknowledged && value <= acknowledged + unknown
      const detail = (): string => `${row}: ${value}; acknowledged ${acknowledged}, unknown ${unknown}`
      this.#findings.check('increments add up', holds, detail)
      unknownAmount += unknown
      unknownApplied += value - acknowledged
    }
    return { unknownAmount, unknownApplied }
  }

  async #logs(door: ScanDoor): Promise<void> {
    const seen = await byRow(door, Family.log)
    for (const [row, { acknowledged, unknown }] of this.#ledger.logs) {
      const text = seen.get(row)?.cells[0]?.value.toString() ?? ''
      const tokens = text.split(/(?<=;)/).filter((token) => token !== '')
      const set = new Set(tokens)
      const twice = tokens.length - set.size
      const missing = [...acknowledged].filter((token) => !set.has(token))
      const strange = tokens.filter((token) => !acknowledged.has(token) && !unknown.has(token))
      const holds = twice === 0 && missing.length === 0 && strange.length === 0
      const detail = (): string =>
        `${row}: ${tokens.length} tokens, ${twice} twice, missing ${missing.join()}, strange ${strange.join()}`
      this.#findings.check('appends are there once', holds, detail)
    }
  }

  async #chains(door: ScanDoor): Promise<{ steps: number; unknownSteps: number }> {
    const seen = await byRow(door, Family.chain)
    let steps = 0
    let unknownSteps = 0
    for (const row of SHARED_ROWS) {
      const { acknowledged, unknown } = this.#ledger.chain(row)
      const cells = seen.get(row)?.cells ?? []
      const head = headOf(cells)
      const tokens = cells.filter(({ qualifier }) => qualifier !== 'v').map(({ value }) => value.toString())
      const set = new Set(tokens)
      const missing = [...acknowledged].filter((token) => !set.has(token))
      const strange = tokens.filter((token) => !acknowledged.has(token) && !unknown.has(token))
      const isSound = set.size === tokens.length && tokens.length === head && strange.length === 0
      const detail = (): string =>
        `${row}: at ${head}, ${tokens.length} steps, missing ${missing.join()}, strange ${strange.join()}`
      this.#findings.check('each checked put is made once', isSound && missing.length === 0, detail)
      steps += head
      unknownSteps += tokens.filter((token) => unknown.has(token)).length
    }
    return { steps, unknownSteps }
  }
}

function specOf(family: string): Parameters<ScanDoor['open']>[0] {
  return { family, start: '', stop: '', reversed: false, batch: 0, limit: 0, page: PAGE }
}

async function all(door: ScanDoor, family: string): Promise<SeenRow[]> {
  const scan = await door.open(specOf(family))
  const rows: SeenRow[] = []
  for (let page = await scan.next(); page !== undefined; page = await scan.next()) rows.push(...page)
  await scan.close()
  return rows
}

async function byRow(door: ScanDoor, family: string): Promise<Map<string, SeenRow>> {
  return new Map((await all(door, family)).map((row) => [row.row, row]))
}
