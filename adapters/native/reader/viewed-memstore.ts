import type { CellIterator, CellRun } from '../cells/cell-run.ts'
import { NO_CELLS } from '../cells/no-cells.ts'
import { CellArena, SEQUENCE_ID_MAX } from '../memstore/cell-arena.ts'
import { CellTree } from '../memstore/cell-tree.ts'
import { ChunkPool } from '../memstore/chunk-pool.ts'
import { MemstoreIterator } from '../memstore/memstore-iterator.ts'
import { type MemstoreGrowth, rootOfWord } from '../memstore/published-memstore.ts'
import type { RootWords, ThreadWords } from '../platform/thread-words.ts'

/** For arenas that another thread fills. */
const NO_POOL = new ChunkPool()

/** A memstore that another thread writes, in the state that it showed last. See PublishedMemstore. */
export class ViewedMemstore implements CellRun {
  readonly #words: ThreadWords
  readonly #arena = new CellArena(NO_POOL)
  readonly #tree = new CellTree(this.#arena)
  #root: RootWords | undefined
  /** The word of the root that the tree has; 0: none. */
  #word = 0
  #version = 0
  #point: MemstoreIterator | undefined

  constructor(words: ThreadWords) {
    this.#words = words
  }

  /** Takes in memory that the writer has given. */
  grow({ root, from, chunks, leaves, inners }: MemstoreGrowth): void {
    if (root !== undefined) this.#root ??= this.#words.rootWords(root)
    for (const [index, chunk] of chunks.entries())
      if (from + index === this.#arena.chunks.length) this.#arena.addChunk(Buffer.from(chunk))
    const { nodes } = this.#tree
    if (leaves !== undefined) nodes.leaves = new Int32Array(leaves)
    if (inners !== undefined) nodes.inners = new Int32Array(inners)
    if (leaves !== undefined || inners !== undefined) this.#tree.changed()
  }

  /** Goes on in the state that is shown now. Must be called within a turn of a reader, before the first read of the turn. */
  refresh(): void {
    if (this.#root === undefined) return
    const { version } = this.#root
    const word = this.#root.root
    if (word === this.#word && version === this.#version) return
    if (word === 0) return
    this.#version = version
    const { nodes } = this.#tree
    const { root, depth } = rootOfWord(word)
    nodes.root = root
    nodes.depth = depth
    this.#word = word
    this.#tree.changed()
  }

  get maxSequenceId(): number {
    return this.#root?.maxSequenceId ?? 0
  }

  mayHaveRow(): boolean {
    return this.#word !== 0
  }

  mayHaveRows(): boolean {
    return this.#word !== 0
  }

  mayHaveTimes(): boolean {
    return this.#word !== 0
  }

  iterator(readPoint: number): CellIterator {
    return this.#word === 0 ? NO_CELLS : this.#newIterator(readPoint)
  }

  #newIterator(readPoint: number): MemstoreIterator {
    return new MemstoreIterator(this.#arena, this.#tree, Math.min(readPoint, SEQUENCE_ID_MAX))
  }

  pointIterator(readPoint: number): CellIterator {
    if (this.#word === 0) return NO_CELLS
    this.#point ??= this.#newIterator(readPoint)
    this.#point.readPoint = Math.min(readPoint, SEQUENCE_ID_MAX)
    return this.#point
  }
}
