/** Comparators that compare bytes as they are. */

import { compareRange } from '../../../model/bytes.ts'
import type { ComparatorEvaluator } from './comparator-evaluator.ts'

export class BinaryComparator implements ComparatorEvaluator {
  readonly #value: Buffer

  constructor(value: Buffer) {
    this.#value = value
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    return compareRange(this.#value, 0, this.#value.length, bytes, offset, length)
  }
}

export class BinaryPrefixComparator implements ComparatorEvaluator {
  readonly #value: Buffer

  constructor(value: Buffer) {
    this.#value = value
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    const value = this.#value
    return compareRange(value, 0, value.length, bytes, offset, length < value.length ? length : value.length)
  }
}

/**
 * Compares the bytes from `componentOffset` on, as many as its own value has. If the cell has fewer, HBase reads on into
 * adjacent memory; here the cell's bytes end, and the shorter value is less.
 */
export class BinaryComponentComparator implements ComparatorEvaluator {
  readonly #value: Buffer
  readonly #componentOffset: number

  constructor(value: Buffer, componentOffset: number) {
    this.#value = value
    this.#componentOffset = Math.max(componentOffset, 0)
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    const value = this.#value
    const skipped = Math.min(this.#componentOffset, length)
    const compared = Math.min(value.length, length - skipped)
    return compareRange(value, 0, value.length, bytes, offset + skipped, compared)
  }
}

/** No part of a cell is null. */
export class NullComparator implements ComparatorEvaluator {
  compare(): number {
    return 1
  }
}

/** Matches bytes of the same length if the operation gives anything but 0 for some pair of bytes. */
export class BitComparator implements ComparatorEvaluator {
  readonly #value: Buffer
  readonly #operator: 'AND' | 'OR' | 'XOR'

  constructor(value: Buffer, operator: 'AND' | 'OR' | 'XOR') {
    this.#value = value
    this.#operator = operator
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    const value = this.#value
    if (length !== value.length) return 1
    for (let i = 0; i < length; i++) {
      if (this.#bits(value[i]!, bytes[offset + i]!) !== 0) return 0
    }
    return 1
  }

  #bits(a: number, b: number): number {
    switch (this.#operator) {
      case 'AND':
        return a & b
      case 'OR':
        return a | b
      case 'XOR':
        return a ^ b
    }
  }
}
