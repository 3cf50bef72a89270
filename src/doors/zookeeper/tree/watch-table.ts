/**
 * The watches of all connections. As in ZooKeeper, plain watches fire once, persistent ones at each change. A watch belongs to its connection:
 * after a reconnect, the client sets its watches anew.
 */

import type { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { HBaseError } from '../../../model/errors.ts'
import { EVENT_TYPE } from '../../../wire/zookeeper/codes.ts'
import { parentPath, type ZnodeChange } from './znode-tree.ts'

/** A connection that gets events. */
export interface Watcher {
  /** Holds the memory of its watches. */
  readonly watchMemory: MemoryGrant
  event(type: number, path: string): void
}

/**
 * `data`: set by getData and exists, also on a node that does not exist. `persistentRecursive`: covers a node and all nodes below it, but no
 * changes of lists of children.
 */
export type WatchKind = 'data' | 'children' | 'persistent' | 'persistentRecursive'

export const WATCH_KINDS: readonly WatchKind[] = ['data', 'children', 'persistent', 'persistentRecursive']

type Held = Readonly<Record<WatchKind, Set<string>>>

/** Bytes of memory of a watch beside its path: its entries in the tables. */
const WATCH_BYTES = 200

export class WatchTable {
  readonly #perWatcherMax: number
  readonly #watchers: Readonly<Record<WatchKind, Map<string, Set<Watcher>>>> = {
    data: new Map(),
    children: new Map(),
    persistent: new Map(),
    persistentRecursive: new Map(),
  }
  readonly #held = new Map<Watcher, Held>()

  /** `perWatcherMax`: most watches of one connection. */
  constructor(perWatcherMax: number) {
    this.#perWatcherMax = perWatcherMax
  }

  /** Number of watches of all connections. */
  get size(): number {
    let size = 0
    for (const held of this.#held.values()) size += countOf(held)
    return size
  }

  has(watcher: Watcher, kind: WatchKind, path: string): boolean {
    return this.#held.get(watcher)?.[kind].has(path) === true
  }

  /** Adds a watch. Throws OVERLOADED beyond the limit of the connection, or without memory. */
  add(watcher: Watcher, kind: WatchKind, path: string): void {
    if (this.has(watcher, kind, path)) return
    const held = this.#held.get(watcher) ?? noWatches()
    if (countOf(held) >= this.#perWatcherMax) {
      throw new HBaseError('OVERLOADED', `a connection may have ${this.#perWatcherMax} watches`)
    }
    watcher.watchMemory.take(bytesOf(path), 'a watch')
    this.#held.set(watcher, held)
    held[kind].add(path)
    const watchers = this.#watchers[kind]
    const ofPath = watchers.get(path)
    if (ofPath === undefined) watchers.set(path, new Set([watcher]))
    else ofPath.add(watcher)
  }

  remove(watcher: Watcher, kind: WatchKind, path: string): void {
    const held = this.#held.get(watcher)
    if (held === undefined || !held[kind].delete(path)) return
    if (countOf(held) === 0) this.#held.delete(watcher)
    watcher.watchMemory.give(bytesOf(path))
    const ofPath = this.#watchers[kind].get(path)!
    ofPath.delete(watcher)
    if (ofPath.size === 0) this.#watchers[kind].delete(path)
  }

  /** Removes the watches of a connection that has ended. */
  removeAll(watcher: Watcher): void {
    const held = this.#held.get(watcher)
    if (held === undefined) return
    for (const kind of WATCH_KINDS) for (const path of held[kind]) this.remove(watcher, kind, path)
  }

  /** Sends a change of a node to its watchers. */
  fire(change: ZnodeChange, path: string): void {
    switch (change) {
      case 'created':
        this.#notify(EVENT_TYPE.nodeCreated, path, this.#take(path, ['data']))
        this.#notifyParent(path)
        break
      case 'changed':
        this.#notify(EVENT_TYPE.nodeDataChanged, path, this.#take(path, ['data']))
        break
      case 'deleted':
        this.#notify(EVENT_TYPE.nodeDeleted, path, this.#take(path, ['data', 'children']))
        this.#notifyParent(path)
        break
    }
  }

  /** The watchers of the node, and those that watch a node above it with all below. Removes the plain watches, which have fired. */
  #take(path: string, kinds: readonly ('data' | 'children')[]): Set<Watcher> {
    const found = new Set(this.#watchers.persistent.get(path))
    for (const kind of kinds) this.#takeOnce(path, kind, found)
    for (let at = path; ; at = parentPath(at)) {
      for (const watcher of this.#watchers.persistentRecursive.get(at) ?? []) found.add(watcher)
      if (at === '/') return found
    }
  }

  #takeOnce(path: string, kind: 'data' | 'children', found: Set<Watcher>): void {
    for (const watcher of this.#watchers[kind].get(path) ?? []) {
      found.add(watcher)
      this.remove(watcher, kind, path)
    }
  }

  #notifyParent(path: string): void {
    const parent = parentPath(path)
    const found = new Set(this.#watchers.persistent.get(parent))
    this.#takeOnce(parent, 'children', found)
    this.#notify(EVENT_TYPE.nodeChildrenChanged, parent, found)
  }

  #notify(type: number, path: string, watchers: ReadonlySet<Watcher>): void {
    for (const watcher of watchers) watcher.event(type, path)
  }
}

function noWatches(): Held {
  return { data: new Set(), children: new Set(), persistent: new Set(), persistentRecursive: new Set() }
}

function countOf(held: Held): number {
  return held.data.size + held.children.size + held.persistent.size + held.persistentRecursive.size
}

/** Bytes of memory of a path: each of two tables has it once, as text of up to two bytes a letter. */
function bytesOf(path: string): number {
  return WATCH_BYTES + 4 * path.length
}
