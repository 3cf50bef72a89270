/** The index of a memstore stays flat in whatever order rows come: the way down to a leaf has room for eight levels. */

import { expect, test } from 'vitest'
import { CellArena } from '../../../../adapters/native/memstore/cell-arena.ts'
import { CellTree } from '../../../../adapters/native/memstore/cell-tree.ts'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { NODE_LAYOUT, type TreeNodes } from '../../../../adapters/native/memstore/tree-nodes.ts'
import { keyValue } from './memstore-under-test.ts'

const { CHILDREN, INNER_INTS, COUNT, LEAF_INTS, HEADER, STRIDE, ADDRESS } = NODE_LAYOUT
const HALF = 32

/** The fewest children of an inner node that is neither the root nor the last node of its level. */
function fewestChildren({ root, depth, inners }: TreeNodes): number {
  let fewest = Number.POSITIVE_INFINITY
  let level = [root]
  for (let below = 0; below < depth; below++) {
    for (const node of level.slice(0, -1)) fewest = Math.min(fewest, inners[node * INNER_INTS + COUNT]!)
    level = level.flatMap((node) => {
      const children = node * INNER_INTS + CHILDREN
      return [...inners.subarray(children, children + inners[node * INNER_INTS + COUNT]!)]
    })
  }
  return fewest
}

class Tree {
  readonly arena = new CellArena(new ChunkPool())
  readonly tree = new CellTree(this.arena)
  #sequenceId = 0

  put(row: string): void {
    const key = keyValue(row, 'q', 1)
    this.tree.insert(this.arena.append(key, 0, key.length, 0, 0, ++this.#sequenceId))
  }

  /** The last row of the last leaf below a node that is `fromEnd` nodes before the last one above the leaves. */
  lastRowOfFullNode(fromEnd: number): string {
    const { root, depth, inners, leaves } = this.tree.nodes
    let level = [root]
    for (let below = 0; below < depth - 1; below++)
      level = level.flatMap((node) => {
        const children = node * INNER_INTS + CHILDREN
        return [...inners.subarray(children, children + inners[node * INNER_INTS + COUNT]!)]
      })
    const node = level.at(-1 - fromEnd)!
    const leaf = inners[node * INNER_INTS + CHILDREN + inners[node * INNER_INTS + COUNT]! - 1]!
    const slot = leaves[leaf * LEAF_INTS + COUNT]! - 1
    const address = leaves[leaf * LEAF_INTS + HEADER + slot * STRIDE + ADDRESS]!
    const buffer = this.arena.bufferOf(address)
    const cell = this.arena.cellOf(address)
    return buffer.toString('latin1', cell + 10, cell + 10 + buffer.readUInt16BE(cell + 8))
  }
}

test('nodes in the middle are split in halves, also where their last child is', () => {
  const tree = new Tree()
  for (let i = 0; i < 40_000; i++) tree.put(`row${String(i).padStart(6, '0')}`)
  expect(tree.tree.nodes.depth).toBe(2)
  for (let at = 1; at < 9; at++) {
    const row = tree.lastRowOfFullNode(at)
    for (let i = 0; i < 3000; i++) tree.put(`${row}/${String(i).padStart(6, '0')}`)
  }
  expect(fewestChildren(tree.tree.nodes)).toBeGreaterThanOrEqual(HALF)
  expect(tree.tree.nodes.depth).toBe(2)
})
