/**
 * The state of a memstore's index that readers in other threads see. They begin at the published root. Nodes that a change has replaced are used
 * again once every reader that began before the next publication has ended.
 *
 * A publication has an epoch, which grows. A reader notes the epoch before it looks for the root.
 */

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

  /** Called when all readers have noted the epoch or a later one, or have ended: the nodes that only earlier ones needed are used again. */
  reclaim(epoch: number): void {
    this.leaves.reclaim(epoch)
    this.inners.reclaim(epoch)
  }
}

/** The leaves of an index, or its inner nodes. */
class PublishedNodes {
  /** The writer's own, which the next publication has. */
  readonly #made = new NodeList()
  /** Published ones that the next publication does not have. */
  readonly #replaced = new NodeList()
  /** Nodes that were replaced before earlier publications, in order, and for each the epoch of the first publication without it. */
  readonly #waiting = new NodeList()
  readonly #waitingEpochs = new NodeList()
  readonly #free = new NodeList()

  made(node: number): void {
    this.#made.push(node)
  }

  replaced(node: number): void {
    this.#replaced.push(node)
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
    const replaced = this.#replaced
    for (let i = 0; i < replaced.count; i++) {
      this.#waiting.push(replaced.items[i]!)
      this.#waitingEpochs.push(epoch)
    }
    replaced.count = 0
  }

  reclaim(epoch: number): void {
    const waiting = this.#waiting
    const epochs = this.#waitingEpochs
    let gone = 0
    while (gone < epochs.count && epochs.items[gone]! <= epoch) this.#free.push(waiting.items[gone++]!)
    waiting.dropFirst(gone)
    epochs.dropFirst(gone)
  }
}

/** Numbers in order. Its memory stays: a list that is filled and emptied with each publication makes no garbage. */
class NodeList {
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
