/** Steps from leaf to leaf in a memstore's index, by the way of a place. */

import { NO_LEAF, NODE_LAYOUT, type TreeNodes } from './tree-nodes.ts'
import type { TreePlace } from './tree-place.ts'

const { CHILDREN, INNER_INTS, COUNT } = NODE_LAYOUT

/** To the first entry; NO_LEAF where there is none. */
export function toFirst(nodes: TreeNodes, place: TreePlace): void {
  toFirstBelow(nodes, place, 0, nodes.root)
  place.hasWay = true
  if (nodes.countOf(place.leaf) === 0) place.leaf = NO_LEAF
}

/** Behind the last entry of the last leaf. */
export function toEnd(nodes: TreeNodes, place: TreePlace): void {
  toLastBelow(nodes, place, 0, nodes.root)
  place.slot++
  place.hasWay = true
}

/** The leaf behind the place's, or NO_LEAF. */
export function nextLeaf({ inners, depth }: TreeNodes, { way }: TreePlace): number {
  for (let level = depth - 1; level >= 0; level--) {
    const base = way[2 * level]! * INNER_INTS
    const slot = way[2 * level + 1]! + 1
    if (slot === inners[base + COUNT]!) continue
    let node = inners[base + CHILDREN + slot]!
    for (let below = level + 1; below < depth; below++) node = inners[node * INNER_INTS + CHILDREN]!
    return node
  }
  return NO_LEAF
}

/** To the first entry of the next leaf. */
export function toNextLeaf(nodes: TreeNodes, place: TreePlace): void {
  const { inners } = nodes
  const { way } = place
  for (let level = nodes.depth - 1; level >= 0; level--) {
    const node = way[2 * level]!
    const slot = way[2 * level + 1]! + 1
    if (slot === inners[node * INNER_INTS + COUNT]!) continue
    toFirstBelow(nodes, place, level + 1, stepDown(inners, place, level, node, slot))
    return
  }
  place.leaf = NO_LEAF
  place.slot = 0
}

/** To the last entry of the leaf before. */
export function toPreviousLeaf(nodes: TreeNodes, place: TreePlace): void {
  const { inners } = nodes
  const { way } = place
  for (let level = nodes.depth - 1; level >= 0; level--) {
    const slot = way[2 * level + 1]! - 1
    if (slot < 0) continue
    toLastBelow(nodes, place, level + 1, stepDown(inners, place, level, way[2 * level]!, slot))
    return
  }
  place.leaf = NO_LEAF
  place.slot = 0
}

function toFirstBelow({ inners, depth }: TreeNodes, place: TreePlace, level: number, from: number): void {
  let node = from
  for (let below = level; below < depth; below++) node = stepDown(inners, place, below, node, 0)
  place.leaf = node
  place.slot = 0
}

function toLastBelow(nodes: TreeNodes, place: TreePlace, level: number, from: number): void {
  const { inners, depth } = nodes
  let node = from
  for (let below = level; below < depth; below++)
    node = stepDown(inners, place, below, node, inners[node * INNER_INTS + COUNT]! - 1)
  place.leaf = node
  place.slot = nodes.countOf(node) - 1
}

/** Notes the step of a way from a node to its child; returns the child. */
function stepDown(inners: Int32Array, { way }: TreePlace, level: number, node: number, slot: number): number {
  way[2 * level] = node
  way[2 * level + 1] = slot
  return inners[node * INNER_INTS + CHILDREN + slot]!
}
