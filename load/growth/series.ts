/** A growth series: the same work at steps of one quantity, and the bounds of its figures. */

export interface Point {
  /** The quantity that grows, or the name of the step. */
  readonly step: number | string
  readonly figures: Readonly<Record<string, number>>
}

export interface Strip {
  /** A name among the figures. */
  readonly figure: string
  readonly title: string
}

export interface Judgement {
  readonly what: string
  readonly holds: boolean
}

/** How far series grow. */
export interface Bounds {
  readonly rowsMax: number
  /** GB of the steps of `size`, in order. */
  readonly sizes: readonly number[]
}

export interface Series {
  readonly name: string
  /** The quantity that grows, and its unit. */
  readonly grows: string
  readonly strips: readonly Strip[]
  /** `tell` is called with each point as it is there. */
  run(tell: (point: Point) => void, bounds: Bounds): Promise<readonly Point[]>
  judge(points: readonly Point[]): readonly Judgement[]
}

/** How long each measurement of a closed loop takes. */
export const ROUND_MS: number = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 3000)

const FLAT_PART = 0.5
const GROWTH_MAX = 2

function valuesOf(points: readonly Point[], figure: string): number[] {
  return points.map(({ figures }) => figures[figure]!)
}

/** Whether the least of a figure is at least half of its most. */
export function flat(points: readonly Point[], figure: string): Judgement {
  const values = valuesOf(points, figure)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return {
    what: `${figure}: the least is ${(least / most).toFixed(2)} of the most, at least ${FLAT_PART}`,
    holds: least >= FLAT_PART * most,
  }
}

export function atMost(points: readonly Point[], figure: string, bound: number): Judgement {
  const most = Math.max(...valuesOf(points, figure))
  return {
    what: `${figure}: at most ${figureText(most)}, and the bound is ${figureText(bound)}`,
    holds: most <= bound,
  }
}

/** Whether a figure is at no later step more than twice that of the first one. Below `floor` it is never too much. */
export function notGrowing(points: readonly Point[], figure: string, floor: number): Judgement {
  const [first = Number.NaN, ...later] = valuesOf(points, figure)
  const most = Math.max(...later, 0)
  const bound = Math.max(GROWTH_MAX * first, floor)
  return {
    what: `${figure}: ${figureText(first)} at first, later at most ${figureText(most)}, and the bound is ${figureText(bound)}`,
    holds: most <= bound,
  }
}

/** A figure with three digits that say something. */
export function figureText(value: number): string {
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US')
  return value.toPrecision(3)
}
