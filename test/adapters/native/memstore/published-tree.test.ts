/** Readers of a published index see it as it was, whatever the writer does, and its nodes are used again once they have left. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CellArena } from '../../../../adapters/native/memstore/cell-arena.ts'
import { CellTree } from '../../../../adapters/native/memstore/cell-tree.ts'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { PublishedTree, type TreeRoot } from '../../../../adapters/native/memstore/published-tree.ts'
import { SurplusVersions, type VersionsKept } from '../../../../adapters/native/memstore/surplus-versions.ts'
import { NODE_LAYOUT } from '../../../../adapters/native/memstore/tree-nodes.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { keyValue } from './memstore-under-test.ts'

const { HEADER, STRIDE, LEAF_INTS, CHILDREN, INNER_INTS, COUNT, OWN, ADDRESS } = NODE_LAYOUT

/** The addresses of all cells, by the nodes below one. Throws where a node is the writer's own. */
function addressesBelow({ leaves, inners }: TreeRoot, node: number, levels: number): number[] {
  const nodes = levels === 0 ? leaves : inners
  const base = node * (levels === 0 ? LEAF_INTS : INNER_INTS)
  if (nodes[base + OWN] !== 0) throw new Error(`a published tree leads to node ${node}, which may change`)
  const entries = Array.from({ length: nodes[base + COUNT]! }, (_, slot) => slot)
  return levels === 0
    ? entries.map((slot) => leaves[base + HEADER + slot * STRIDE + ADDRESS]!)
    : entries.flatMap((slot) =>
        addressesBelow({ root: 0, depth: 0, leaves, inners }, inners[base + CHILDREN + slot]!, levels - 1),
      )
}

function addressesOf(tree: TreeRoot): number[] {
  return addressesBelow(tree, tree.root, tree.depth)
}

/** A tree that is published, and one of the same inserts that is not. */
class Trees {
  readonly published = new PublishedTree()
  readonly #arena = new CellArena(new ChunkPool())
  readonly #tree = new CellTree(this.#arena, this.published)
  readonly #plain = new CellTree(this.#arena)
  readonly #surplus: readonly SurplusVersions[]
  #epoch = 0
  #sequenceId = 0
  /** Readers, oldest first, with what they see. */
  readonly #readers: { readonly epoch: number; readonly tree: TreeRoot; readonly sees: number[] }[] = []

  constructor(surplusMax: number) {
    const lastBefore = (): number => this.#sequenceId - 1
    const kept: VersionsKept = {
      maxVersions: 1,
      deletesHide: true,
      surplusMax: () => surplusMax,
      get published() {
        return lastBefore()
      },
      oldestReader: Number.POSITIVE_INFINITY,
      newestReader: -1,
      noteDropped: () => undefined,
    }
    this.#surplus = [this.#tree, this.#plain].map(
      ({ nodes }) => new SurplusVersions(kept, this.#arena, nodes),
    )
  }

  add(row: string, qualifier: string): void {
    const sequenceId = ++this.#sequenceId
    const key = keyValue(row, qualifier, sequenceId)
    const address = this.#arena.append(key, 0, key.length, 0, 0, sequenceId)
    // The cells stay: both trees retire the same ones, and no place may be used again.
    this.#arena.read()
    for (const [at, tree] of [this.#tree, this.#plain].entries()) {
      const surplus = this.#surplus[at]!
      if (!tree.insert(address, surplus)) continue
      const dropped = surplus.overwritten(tree.inserted, 0)
      if (dropped > 0) tree.dropped(dropped)
    }
  }

  publish(): void {
    this.#epoch++
    this.#tree.nodes.publish(this.#epoch)
  }

  beginRead(): void {
    const { root: tree } = this.published
    if (tree !== undefined) this.#readers.push({ epoch: this.#epoch, tree, sees: addressesOf(tree) })
  }

  endRead(): void {
    this.#readers.shift()
    this.#tree.nodes.reclaim(this.#readers[0]?.epoch ?? this.#epoch, true)
  }

  check(): void {
    for (const { tree, sees } of this.#readers) expect(addressesOf(tree)).toEqual(sees)
    this.publish()
    expect(addressesOf(this.published.root!)).toEqual(addressesOfPlain(this.#plain))
    expect(this.#tree.size).toBe(this.#plain.size)
  }

  get bytes(): number {
    return this.#tree.nodes.bytes
  }

  get plainBytes(): number {
    return this.#plain.nodes.bytes
  }
}

function addressesOfPlain({ nodes: { root, depth, leaves, inners } }: CellTree): number[] {
  const all = { root, depth, leaves: leaves.slice(), inners: inners.slice() }
  for (let at = OWN; at < leaves.length; at += LEAF_INTS) all.leaves[at] = 0
  for (let at = OWN; at < inners.length; at += INNER_INTS) all.inners[at] = 0
  return addressesOf(all)
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      from: fc.nat({ max: 3000 }),
      count: fc.integer({ min: 1, max: 300 }),
      by: fc.constantFrom(0, 1, 1, -1, 7, 7919),
      columns: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'publish' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'begin' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'end' as const }) },
)

test('a reader sees what was published when it began, and the writer what it has written', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 30 }),
      fc.constantFrom(1, 2, 16),
      (steps, surplus) => {
        const trees = new Trees(surplus)
        for (const one of steps) {
          if (one.kind === 'publish') trees.publish()
          else if (one.kind === 'begin') trees.beginRead()
          else if (one.kind === 'end') trees.endRead()
          else {
            for (let i = 0; i < one.count; i++) {
              const row = 'row'.concat(
                String((((one.from + i * one.by) % 3000) + 3000) % 3000).padStart(12, '0'),
              )
              for (let column = 0; column < one.columns; column++) trees.add(row, `q${column}`)
            }
          }
        }
        trees.check()
      },
    ),
    { numRuns: testRuns(60) },
  )
})

test('the nodes that changes replace are used again', () => {
  const trees = new Trees(1)
  for (let i = 0; i < 20_000; i++) {
    trees.add(`row${(i * 7919) % 5000}`, 'q')
    if (i % 10 > 0) continue
    trees.publish()
    trees.endRead()
  }
  trees.check()
  expect(trees.bytes).toBeLessThan(trees.plainBytes * 1.2)
})
