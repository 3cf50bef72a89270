import type { CellRun } from '../cells/cell-run.ts'
import type { RootWords, ThreadWords } from '../platform/thread-words.ts'
import type { CellArena } from './cell-arena.ts'
import type { PublishedTree } from './published-tree.ts'
import type { TreeNodes } from './tree-nodes.ts'

/** Bits of the depth in the word of a root. */
const DEPTH_BITS = 4

/** The memory of a memstore that other threads have not been given yet. */
export interface MemstoreGrowth {
  /** With the first memory alone. */
  readonly root?: SharedArrayBuffer
  /** Chunks, of which the first one is the memstore's at this index. */
  readonly from: number
  readonly chunks: readonly SharedArrayBuffer[]
  /** Larger arrays, in the place of those that they have. */
  readonly leaves?: SharedArrayBuffer
  readonly inners?: SharedArrayBuffer
}

/** Collects the memstores that the next publication shows. */
export interface Publications {
  readonly words: ThreadWords
  /** True: memory that no reader needs is overwritten, so that a late reader shows in a test. */
  readonly poisons: boolean
  changed(memstore: PublishedMemstore): void
}

interface Parts {
  readonly arena: CellArena
  readonly nodes: TreeNodes
  readonly published: PublishedTree
}

/** The state of a memstore that other threads see, and the memory that they have of it. */
export class PublishedMemstore {
  readonly memstore: CellRun
  readonly #parts: Parts
  readonly #publications: Publications
  readonly #root: RootWords
  #isChanged = false
  #isFreed = false
  // The memory that the threads have.
  #chunks = 0
  #leaves: Int32Array | undefined
  #inners: Int32Array | undefined

  constructor(memstore: CellRun, parts: Parts, publications: Publications) {
    this.memstore = memstore
    this.#parts = parts
    this.#publications = publications
    this.#root = publications.words.rootWords()
  }

  changed(): void {
    if (this.#isChanged) return
    this.#isChanged = true
    this.#publications.changed(this)
  }

  /** Whether it has changed since the last publication. */
  get isChanged(): boolean {
    return this.#isChanged
  }

  /** Whether threads may have memory of it. */
  get isGiven(): boolean {
    return this.#leaves !== undefined
  }

  get isFreed(): boolean {
    return this.#isFreed
  }

  freed(): void {
    this.#isFreed = true
  }

  /** The memory since the last call; undefined where there is none. It must reach the threads before the next publication. */
  takeGrowth(): MemstoreGrowth | undefined {
    const { arena, nodes } = this.#parts
    const isFirst = this.#leaves === undefined
    const from = this.#chunks
    const chunks = arena.chunks.slice(from).map(memoryOf)
    const hasLeaves = nodes.leaves !== this.#leaves
    const hasInners = nodes.inners !== this.#inners
    if (chunks.length === 0 && !hasLeaves && !hasInners) return undefined
    this.#chunks = arena.chunks.length
    this.#leaves = nodes.leaves
    this.#inners = nodes.inners
    return {
      ...(isFirst && { root: this.#root.memory }),
      from,
      chunks,
      ...(hasLeaves && { leaves: memoryOf(nodes.leaves) }),
      ...(hasInners && { inners: memoryOf(nodes.inners) }),
    }
  }

  /** The memory that the threads have by now, for one that begins; undefined before the first publication. */
  get given(): MemstoreGrowth | undefined {
    if (this.#leaves === undefined || this.#inners === undefined) return undefined
    return {
      root: this.#root.memory,
      from: 0,
      chunks: this.#parts.arena.chunks.slice(0, this.#chunks).map(memoryOf),
      leaves: memoryOf(this.#leaves),
      inners: memoryOf(this.#inners),
    }
  }

  /** Shows the present state. */
  publish(epoch: number): void {
    this.#isChanged = false
    const { arena, nodes } = this.#parts
    arena.publish(epoch)
    nodes.publish(epoch)
    this.#root.store(rootWord(nodes.root, nodes.depth), this.memstore.maxSequenceId)
  }

  /** Nodes and places that no reader of an earlier epoch needs are used again. True while others wait. */
  reclaim(epoch: number): boolean {
    const { arena, nodes, published } = this.#parts
    arena.reclaim(epoch)
    nodes.reclaim(epoch, this.#publications.poisons)
    return arena.isWaiting || published.isWaiting
  }
}

function memoryOf({ buffer }: Buffer | Int32Array): SharedArrayBuffer {
  return buffer as SharedArrayBuffer
}

/** Never 0. */
function rootWord(root: number, depth: number): number {
  return (root << DEPTH_BITS) + depth + 1
}

/** Root and depth of the word of a root, which is not 0. */
export function rootOfWord(word: number): { readonly root: number; readonly depth: number } {
  return { root: (word - 1) >>> DEPTH_BITS, depth: (word - 1) & ((1 << DEPTH_BITS) - 1) }
}
