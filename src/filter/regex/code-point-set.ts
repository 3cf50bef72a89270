/** The last code point of Unicode. */
export const CODE_POINT_MAX = 0x10ffff

const LATIN_1 = 256

/** A set of code points, never changed once made. */
export class CodePointSet {
  /** First and last of each range, in order; no two ranges touch. */
  readonly ranges: readonly number[]
  /** A byte for each of the first characters, made when it is first needed: most sets never need it. */
  #latin1: Uint8Array | undefined

  private constructor(ranges: readonly number[]) {
    this.ranges = ranges
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
    for (const [first, last] of pairs) append(ranges, first, last)
    return new CodePointSet(ranges)
  }

  has(codePoint: number): boolean {
    if (codePoint < LATIN_1) return (this.#latin1 ??= latin1Of(this.ranges))[codePoint] === 1
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

  static union(sets: readonly CodePointSet[]): CodePointSet {
    return CodePointSet.ofRanges(sets.flatMap(({ ranges }) => ranges))
  }

  union(other: CodePointSet): CodePointSet {
    const one = this.ranges
    const two = other.ranges
    const ranges: number[] = []
    for (let i = 0, j = 0; i < one.length || j < two.length; ) {
      const isOne = j === two.length || (i < one.length && one[i]! <= two[j]!)
      if (isOne) append(ranges, one[i++]!, one[i++]!)
      else append(ranges, two[j++]!, two[j++]!)
    }
    return new CodePointSet(ranges)
  }

  intersection(other: CodePointSet): CodePointSet {
    const one = this.ranges
    const two = other.ranges
    const ranges: number[] = []
    for (let i = 0, j = 0; i < one.length && j < two.length; ) {
      const first = Math.max(one[i]!, two[j]!)
      const last = Math.min(one[i + 1]!, two[j + 1]!)
      if (first <= last) ranges.push(first, last)
      if (one[i + 1] === last) i += 2
      else j += 2
    }
    return new CodePointSet(ranges)
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

/** Appends a range that does not begin before the last one. */
function append(ranges: number[], first: number, last: number): void {
  const end = ranges.length - 1
  if (end > 0 && first <= ranges[end]! + 1) ranges[end] = Math.max(ranges[end]!, last)
  else ranges.push(first, last)
}

function latin1Of(ranges: readonly number[]): Uint8Array {
  const latin1 = new Uint8Array(LATIN_1)
  for (let at = 0; at < ranges.length; at += 2) {
    latin1.fill(1, Math.min(ranges[at]!, LATIN_1), Math.min(ranges[at + 1]! + 1, LATIN_1))
  }
  return latin1
}

export const ALL_CODE_POINTS: CodePointSet = CodePointSet.ofRanges([0, CODE_POINT_MAX])
export const NO_CODE_POINTS: CodePointSet = CodePointSet.ofRanges([])
