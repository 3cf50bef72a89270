/** The classes of durations that the server counts: src/model/latencies.ts says what they are. */

const PARTS_BITS = 3
const PARTS = 1 << PARTS_BITS

/** @typedef {readonly (readonly [number, number])[]} Classes class and count of each class that has any */

/** @param {number} index @returns {number} microseconds */
function lowerBound(index) {
  if (index < PARTS) return index
  return (PARTS + (index & (PARTS - 1))) * 2 ** ((index >> PARTS_BITS) - 1)
}

/**
 * What has come since: the counts of now without those of before, of several kinds together.
 *
 * @param {readonly { now: Classes, before: Classes }[]} each
 * @returns {[number, number][]}
 */
export function between(each) {
  /** @type {Map<number, number>} */
  const counts = new Map()
  for (const { now, before } of each) {
    for (const [index, count] of now) counts.set(index, (counts.get(index) ?? 0) + count)
    for (const [index, count] of before) counts.set(index, (counts.get(index) ?? 0) - count)
  }
  return [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b)
}

/**
 * Milliseconds that the part `q` did not exceed; undefined where there was nothing.
 *
 * @param {Classes} classes in order
 * @param {number} q
 */
export function quantile(classes, q) {
  const rank = q * classes.reduce((sum, [, count]) => sum + count, 0)
  let seen = 0
  for (const [index, count] of classes) {
    seen += count
    if (seen >= rank) return lowerBound(index + 1) / 1000
  }
  return undefined
}
