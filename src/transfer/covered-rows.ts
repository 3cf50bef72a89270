/** How much of some ranges of rows is done, by the place of the last row between the first and the last key of its range. */

import { compareBytes, EMPTY } from '../model/bytes.ts'
import { isHBaseError } from '../model/errors.ts'
import { scan } from '../model/query.ts'
import { gathered } from '../model/results.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import { plannedRanges } from './copy-ranges.ts'
import { boundsOf, type Part } from './raw-cells.ts'

type Range = Pick<Part, 'startRow' | 'stopRow'>

const DIGITS = '0123456789'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Of keys that are written as text: their bytes are a small part of all bytes, so that a place among all of them would say little. */
const ALPHABETS: readonly string[] = [
  DIGITS,
  `${DIGITS}ABCDEF`,
  `${DIGITS}abcdef`,
  LETTERS.toUpperCase(),
  LETTERS,
  `${DIGITS}${LETTERS}`,
  `${DIGITS}${LETTERS.toUpperCase()}${LETTERS}`,
]

/** Bytes of a key that count, behind the begin that both ends of its range share. */
const KEY_BYTES = 6

export class CoveredRows {
  readonly #ranges: { readonly stopRow: Buffer; first: Buffer | undefined; fraction: number }[]
  #index = 0

  /** `lastRow`: of the table; undefined: not known. */
  constructor(ranges: readonly Range[], lastRow: Buffer | undefined) {
    this.#ranges = ranges.map(({ startRow, stopRow }) => ({
      stopRow: stopRow.length > 0 ? stopRow : (lastRow ?? EMPTY),
      first: startRow.length > 0 ? startRow : undefined,
      fraction: 0,
    }))
  }

  /** All rows of the range up to this one are done. */
  reached(index: number, row: Buffer): void {
    const range = this.#ranges[index]!
    range.first ??= row
    if (range.stopRow.length === 0) return
    // Another alphabet may move a row back.
    range.fraction = Math.max(range.fraction, keyFraction(range.first, range.stopRow, row))
  }

  /** The same of ranges that are done one after the other. */
  passed(row: Buffer): void {
    const ranges = this.#ranges
    while (this.#index < ranges.length - 1 && compareBytes(row, ranges[this.#index]!.stopRow) >= 0)
      this.ended(this.#index++)
    this.reached(this.#index, row)
  }

  ended(index: number): void {
    this.#ranges[index]!.fraction = 1
  }

  /** From 0 to 1; undefined: not known. */
  get fraction(): number | undefined {
    const ranges = this.#ranges
    const isKnown = ranges.some(({ fraction }) => fraction > 0)
    return isKnown ? ranges.reduce((sum, { fraction }) => sum + fraction, 0) / ranges.length : undefined
  }
}

/** Of a scan of the part, which reads its regions in their order. */
export async function coveredByScan(
  store: Store,
  table: TableName,
  part: Part,
  call: Call,
): Promise<CoveredRows> {
  const ranges = await plannedRanges(store, table, part, undefined, call).catch((error: unknown) => {
    if (isHBaseError(error)) return [part]
    throw error
  })
  return new CoveredRows(ranges, await lastRowOf(store, table, part, call))
}

/** The place of a row between two others, from 0 to 1. */
export function keyFraction(first: Buffer, last: Buffer, row: Buffer): number {
  if (compareBytes(row, last) >= 0) return 1
  let shared = 0
  while (shared < first.length && first[shared] === last[shared]) shared++
  const parts = [first, last, row].map((key) => key.subarray(shared, shared + KEY_BYTES).toString('latin1'))
  const alphabet = ALPHABETS.find((each) => parts.every((part) => areOf(part, each)))
  const [from, to, at] = parts.map((part) => numberOf(part, alphabet)) as [number, number, number]
  return to <= from ? 0 : Math.min(1, Math.max(0, (at - from) / (to - from)))
}

function areOf(text: string, alphabet: string): boolean {
  for (const character of text) if (!alphabet.includes(character)) return false
  return true
}

/** `alphabet`: of which the text is; undefined: all bytes. */
function numberOf(text: string, alphabet: string | undefined): number {
  let number = 0
  for (let i = 0; i < KEY_BYTES; i++) {
    const digit = i >= text.length ? 0 : (alphabet?.indexOf(text[i]!) ?? text.charCodeAt(i))
    number = number * (alphabet?.length ?? 256) + digit
  }
  return number
}

/** The last row of the part; undefined where there is none, or where the store does not show it. */
export async function lastRowOf(
  { rows, handouts }: Pick<Store, 'rows' | 'handouts'>,
  table: TableName,
  { startRow, stopRow, columns }: Pick<Part, 'startRow' | 'stopRow' | 'columns'>,
  call: Call,
): Promise<Buffer | undefined> {
  if (stopRow.length > 0) return stopRow
  try {
    const asked = scan({
      columns,
      startRow: EMPTY,
      stopRow: startRow,
      includeStopRow: true,
      reversed: true,
      limit: 1,
      cacheBlocks: false,
    })
    const { id } = await rows.openScanner(table, asked, call)
    try {
      const { results } = await handouts.next(id, { rows: 1, bytes: 1, allowPartial: true }, call)
      const { last } = boundsOf(gathered(results))
      if (results.loan !== undefined) handouts.release(results.loan)
      return last
    } finally {
      await handouts.closeScanner(id)
    }
  } catch (error) {
    // It is for the display alone: the reads that follow say why they fail.
    if (isHBaseError(error)) return undefined
    throw error
  }
}
