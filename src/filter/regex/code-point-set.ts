/** The last code point of Unicode. */
export const CODE_POINT_MAX = 0x10ffff

const LATIN_1 = 256

/** A set of code points, never changed once made. */
export class CodePointSet {
  /** First and last of each range, in order; no two ranges touch. */
  readonly ranges: readonly number[]
  readonly #latin1: Uint8Array = new Uint8Array(LATIN_1)

  private constructor(ranges: readonly number[]) {
    this.ranges = ranges
    for (let at = 0; at < ranges.length; at += 2) {
      const last = Math.min(ranges[at + 1]!, LATIN_1 - 1)
      for (let codePoint = ranges[at]!; codePoint <= last; codePoint++) this.#latin1[codePoint] = 1
    }
  }

  static of(...codePoints: readonly number[]): CodePointSet {
    return CodePointSet.ofRanges(codePoints.flatMap((codePoint) => [codePoint, codePoint]))
  }

  /** The union of ranges, each a first and a last code point, in any order. */
  static ofRanges(bounds: readonly number[]): CodePointSet {
    const pairs: [number, number][] = []
    for (let at = 0; at < bounds.length; at += 2) pairs.push([bounds[at]!, bounds[at + 1]!])
    pairs.sort((one, other) => one[0] - other[0])
    const ranges: number[] = []
    for (const [first, last] of pairs) {
      const end = ranges.length - 1
      if (end > 0 && first <= ranges[end]! + 1) ranges[end] = Math.max(ranges[end]!, last)
      else ranges.push(first, last)
    }
    return new CodePointSet(ranges)
  }

  has(codePoint: number): boolean {
    if (codePoint < LATIN_1) return this.#latin1[codePoint] === 1
    let low = 0
    let high = this.ranges.length / 2
    while (low < high) {
      const middle = (low + high) >> 1
      if (codePoint < this.ranges[middle * 2]!) high = middle
      else if (codePoint > this.ranges[middle * 2 + 1]!) low = middle + 1
      else return true
    }
    return false
  }

  union(other: CodePointSet): CodePointSet {
    return CodePointSet.ofRanges([...this.ranges, ...other.ranges])
  }

  intersection(other: CodePointSet): CodePointSet {
    return this.complement().union(other.complement()).complement()
  }

  complement(): CodePointSet {
    const ranges: number[] = []
    let next = 0
    for (let at = 0; at < this.ranges.length; at += 2) {
      if (this.ranges[at]! > next) ranges.push(next, this.ranges[at]! - 1)
      next = this.ranges[at + 1]! + 1
    }
    if (next <= CODE_POINT_MAX) ranges.push(next, CODE_POINT_MAX)
    return new CodePointSet(ranges)
  }
}

export const ALL_CODE_POINTS: CodePointSet = CodePointSet.ofRanges([0, CODE_POINT_MAX])
export const NO_CODE_POINTS: CodePointSet = CodePointSet.ofRanges([])
