/** Percentiles from the server's histogram of durations, whose classes src/model/latencies.ts defines. */

const PARTS_BITS = 3
const PARTS = 1 << PARTS_BITS

/** @typedef {readonly (readonly [number, number])[]} Classes the number and the count of each class that is not empty */

/** @param {number} index @returns {number} microseconds */
function lowerBound(index) {
  if (index < PARTS) return index
  return (PARTS + (index & (PARTS - 1))) * 2 ** ((index >> PARTS_BITS) - 1)
}

/**
 * The quantile in milliseconds; undefined where there are no counts.
 *
 * @param {Classes} classes in order
 * @param {number} q from 0 to 1
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
