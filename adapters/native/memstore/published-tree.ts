/**
 * The state of a memstore that readers in other threads see. They begin at the published root of its index. Nodes that a change has replaced, and places
 * of cells that it has dropped, are used again once every reader that began before the next publication has ended.
 *
 * A publication has an epoch (ThreadWords). A reader notes the epoch before it looks for the root.
 */

import { isBefore } from '../platform/thread-words.ts'

/** Where readers of an index begin, in arrays that they go on with when the writer's have grown. */
export interface TreeRoot {
  readonly root: number
  readonly depth: number
  readonly leaves: Int32Array
  readonly inners: Int32Array
}

/** The published state of one memstore's index. Only the thread that writes the index changes it, by TreeNodes. */
export class PublishedTree {
  readonly leaves: PublishedNodes = new PublishedNodes()
  readonly inners: PublishedNodes = new PublishedNodes()
  /** Undefined before the first publication. */
  root: TreeRoot | undefined

  /** Whether nodes wait for readers. */
  get isWaiting(): boolean {
    return this.leaves.isWaiting || this.inners.isWaiting
  }
}

/** Nodes or places of cells that readers of earlier publications may need. */
export class Replaced {
  /** Published ones that the next publication does not have. */
  readonly #replaced = new NumberList()
  /** Items of earlier publications, in order, and for each the epoch of the first publication without it. */
  readonly #waiting = new NumberList()
  readonly #waitingEpochs = new NumberList()

  get isWaiting(): boolean {
    return this.#waiting.count > 0
  }

  add(item: number): void {
    this.#replaced.push(item)
  }

  publish(epoch: number): void {
    const replaced = this.#replaced
    for (let i = 0; i < replaced.count; i++) {
      this.#waiting.push(replaced.items[i]!)
      this.#waitingEpochs.push(epoch)
    }
    replaced.count = 0
  }

  /** Adds those to `free` that no reader needs. */
  reclaim(epoch: number, free: NumberList): void {
    const waiting = this.#waiting
    const epochs = this.#waitingEpochs
    let gone = 0
    while (gone < epochs.count && !isBefore(epoch, epochs.items[gone]!)) free.push(waiting.items[gone++]!)
    waiting.dropFirst(gone)
    epochs.dropFirst(gone)
  }
}

/** The leaves of an index, or its inner nodes. */
class PublishedNodes {
  /** The writer's own, which the next publication has. */
  readonly #made = new NumberList()
  readonly #replaced = new Replaced()
  readonly #free = new NumberList()

  get isWaiting(): boolean {
    return this.#replaced.isWaiting
  }

  made(node: number): void {
    this.#made.push(node)
  }

  replaced(node: number): void {
    this.#replaced.add(node)
  }

  /** A node that is used again; undefined where there is none. */
  take(): number | undefined {
    const free = this.#free
    return free.count === 0 ? undefined : free.items[--free.count]!
  }

  /** Takes the mark, at `mark` of nodes of so many int32, from the writer's own nodes, which are published now. */
  publish(nodes: Int32Array, nodeInts: number, mark: number, epoch: number): void {
    const made = this.#made
    for (let i = 0; i < made.count; i++) nodes[made.items[i]! * nodeInts + mark] = 0
    made.count = 0
    this.#replaced.publish(epoch)
  }

  /** `onFree`: called with each node that is free from now on. */
  reclaim(epoch: number, onFree?: (node: number) => void): void {
    const free = this.#free
    const before = free.count
    this.#replaced.reclaim(epoch, free)
    if (onFree !== undefined) for (let i = before; i < free.count; i++) onFree(free.items[i]!)
  }
}

/** Numbers in order. Its memory stays: a list that is filled and emptied with each publication makes no garbage. */
export class NumberList {
  readonly items: number[] = []
  count = 0

  push(item: number): void {
    this.items[this.count++] = item
  }

  dropFirst(count: number): void {
    if (count === 0) return
    this.items.copyWithin(0, count, this.count)
    this.count -= count
  }
}
