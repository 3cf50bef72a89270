import { compareHeads, type RunHead } from './run-head.ts'

/**
 * Keeps the least head of several runs. Each inner node keeps the head that has lost the comparison there. So a head that moves is compared
 * once a level, on its way up; a heap compares twice a level.
 */
export class LoserTree {
  readonly #heads: readonly RunHead[]
  /** The winner, and the losers from the last comparison at 1 to the first ones. Head i is the leaf below node (i + heads) / 2. */
  readonly #nodes: RunHead[]

  /** `heads`: at least one. `play` must be called before the tree is asked. */
  constructor(heads: readonly RunHead[]) {
    this.#heads = heads
    this.#nodes = [...heads]
  }

  get winner(): RunHead {
    return this.#nodes[0]!
  }

  /** The head that would win without the winner: it has lost to nothing else. At least two heads. */
  get second(): RunHead {
    const nodes = this.#nodes
    let node = (nodes[0]!.rank + nodes.length) >> 1
    let second = nodes[node]!
    for (node >>= 1; node > 0; node >>= 1) {
      const other = nodes[node]!
      if (compareHeads(other, second) < 0) second = other
    }
    return second
  }

  /** Finds the winner anew after any heads have moved. */
  play(): void {
    this.#nodes[0] = this.#winnerOf(1)
  }

  /** Finds the winner after the last one alone has moved. */
  settle(): void {
    const nodes = this.#nodes
    let top = nodes[0]!
    for (let node = (top.rank + nodes.length) >> 1; node > 0; node >>= 1) {
      const loser = nodes[node]!
      if (compareHeads(loser, top) > 0) continue
      nodes[node] = top
      top = loser
    }
    nodes[0] = top
  }

  /** The winner of the heads below a node; the losers stay in the nodes. */
  #winnerOf(node: number): RunHead {
    const size = this.#heads.length
    if (node >= size) return this.#heads[node - size]!
    const a = this.#winnerOf(2 * node)
    const b = this.#winnerOf(2 * node + 1)
    const isFirst = compareHeads(a, b) < 0
    this.#nodes[node] = isFirst ? b : a
    return isFirst ? a : b
  }
}
