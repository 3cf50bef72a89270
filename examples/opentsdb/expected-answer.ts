/** The answer that a query must bring, computed from the series themselves. */

import { type Answer, type Query, summed } from './query.ts'
import { HOUR_SECONDS, type Point } from './row-format.ts'
import type { Series } from './series.ts'

export function expectedAnswer(series: readonly Series[], query: Query): Answer {
  return summed(
    series.filter(({ tags }) => isAskedFor(tags, query)).flatMap(({ points }) => mostOfHours(points)),
  )
}

function isAskedFor(tags: Series['tags'], { tag, withoutTag }: Query): boolean {
  if (withoutTag !== undefined) return !(withoutTag in tags)
  if (tag === undefined) return true
  const [name, values] = tag
  const value = tags[name]
  return value !== undefined && (typeof values === 'string' ? value === values : values.test(value))
}

function mostOfHours(points: readonly Point[]): [hour: number, most: number][] {
  const most = new Map<number, number>()
  for (const { time, value } of points) {
    const seconds = Math.floor(time / 1000)
    const hour = seconds - (seconds % HOUR_SECONDS)
    most.set(hour, Math.max(most.get(hour) ?? value, value))
  }
  return [...most]
}
