/** One row key with bytes that need not match. HBase: FuzzyRowFilter.satisfies, getNextForFuzzyRule. */

import type { FuzzyKey } from '../../model/filter.ts'

const FIXED = 0xff
const ANY = 0

/** The mark of a byte that need not match, once HBase's client has prepared the mask. */
const ANY_IN_VERSION_1 = 0
const ANY_IN_VERSION_2 = 2

export class FuzzyRule {
  readonly #key: Buffer
  /** FIXED or ANY. */
  readonly #mask: Buffer
  /** The row that `findNext` found, in the first `nextLength` bytes. */
  next: Buffer
  nextLength = 0

  constructor({ row, mask }: FuzzyKey, isMaskV2: boolean) {
    const any = isMaskV2 ? ANY_IN_VERSION_2 : ANY_IN_VERSION_1
    const ready = maskMadeReady(mask, any)
    this.#key = Buffer.from(row)
    for (const [i, byte] of ready.entries()) if (byte === any) this.#key[i] = 0
    // HBase: FuzzyRowFilter.satisfies shifts the mask right with each cell, until negative bytes are all ones and the
    // others 0.
    this.#mask = ready.map((byte) => (byte > 0x7f ? FIXED : ANY)) as Buffer
    this.next = Buffer.alloc(this.#key.length + 16)
  }

  /**
   * Whether the row matches as far as both the row and the key reach.
   * QUIRK filter-bytes-fields-fuzzy-row-abcd-x00-x00-x00-x00-0: a row shorter than the key matches if its bytes do.
   */
  isSatisfied(buffer: Buffer, offset: number, rowLength: number): boolean {
    const key = this.#key
    const mask = this.#mask
    const length = rowLength < key.length ? rowLength : key.length
    for (let i = 0; i < length; i++) {
      if ((buffer[offset + i]! & mask[i]!) !== key[i]) return false
    }
    return true
  }

  /**
   * The first row, in the direction of the scan, that may match after a row that does not; false if there is none.
   * QUIRK filter-bytes-fields-fuzzy-row-abx-x00-x00-x01: in a reversed scan the free bytes behind a byte that became less
   * are 0, so the scan passes over matching rows in between.
   */
  findNext(reversed: boolean, buffer: Buffer, offset: number, rowLength: number): boolean {
    const length = Math.max(rowLength, this.#key.length)
    const next = this.#startNext(reversed, length)
    const last = reversed ? 0 : 0xff
    let toStep = -1
    let isAhead = false
    for (let i = 0; i < length; i++) {
      const byte = i < rowLength ? buffer[offset + i]! : 0
      if (!this.#isFixed(i)) {
        next[i] = byte
        if (byte !== last) toStep = i
      } else if (byte !== this.#key[i]) {
        isAhead = byte < this.#key[i]! !== reversed
        break
      }
    }
    if (!isAhead) {
      if (toStep < 0) return false
      next[toStep]! += reversed ? -1 : 1
      for (let i = toStep + 1; i < length; i++) if (!this.#isFixed(i)) next[i] = reversed ? 0xff : 0
    }
    this.nextLength = reversed ? length : this.#lengthWithoutTail(length, toStep)
    return true
  }

  /** Fills `next` with the key, and the room behind it. */
  #startNext(reversed: boolean, length: number): Buffer {
    if (this.next.length < length) this.next = Buffer.alloc(length * 2)
    this.next.set(this.#key)
    this.next.fill(reversed ? 0xff : 0, this.#key.length, length)
    return this.next
  }

  #isFixed(index: number): boolean {
    return index < this.#mask.length && this.#mask[index] === FIXED
  }

  /** The length without the zeroes behind the last byte that matters: a row without them sorts first. */
  #lengthWithoutTail(length: number, stepped: number): number {
    let last = Math.min(this.#mask.length, length) - 1
    while (last >= 0 && this.#mask[last] === ANY) last--
    return Math.max(last, stepped) + 1
  }
}

/** Turns 0 and 1 into 0xff and the version's `any`, unless the mask consists of those already. */
function maskMadeReady(mask: Buffer, any: number): Buffer {
  if (mask.every((byte) => byte === FIXED || byte === any)) return mask
  const ready = Buffer.from(mask)
  for (const [i, byte] of mask.entries()) {
    if (byte === 0) ready[i] = FIXED
    else if (byte === 1) ready[i] = any
  }
  return ready
}
