/**
 * Keys as they are asked for in life: a few all the time, most seldom. YCSB's generator (Gray et al., Quickly Generating
 * Billion-Record Synthetic Databases), its ranks scattered over all keys. k6 runs this file: it imports nothing of Node.
 */

/** YCSB's constant: the first of 10,000 keys then gets a tenth of the requests. */
const SKEW = 0.99

/** Numbers of [0, 1) that follow from a seed. Mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function zeta(count: number): number {
  let sum = 0
  for (let rank = 1; rank <= count; rank++) sum += rank ** -SKEW
  return sum
}

/** Draws ranks of [0, count): the smaller, the oftener. */
export function zipfRanks(count: number, random: () => number): () => number {
  const all = zeta(count)
  const alpha = 1 / (1 - SKEW)
  const eta = (1 - (2 / count) ** (1 - SKEW)) / (1 - zeta(2) / all)
  return () => {
    const u = random()
    const uz = u * all
    if (uz < 1) return 0
    if (uz < 1 + 0.5 ** SKEW) return 1
    return Math.min(count - 1, Math.floor(count * (eta * u - eta + 1) ** alpha))
  }
}

/** As zipfRanks, of numbers whose popularity does not follow their order. */
export function zipfKeys(count: number, random: () => number): () => number {
  const ranks = zipfRanks(count, random)
  const order = shuffled(count)
  return () => order[ranks()]!
}

/** Always the same order: all virtual users have the same popular keys. */
function shuffled(count: number): number[] {
  const random = seededRandom(count)
  const order = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const swapped = order[i]!
    order[i] = order[j]!
    order[j] = swapped
  }
  return order
}
