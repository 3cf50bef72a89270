/** The znodes of the server, in memory. Each change is a transaction with an id of its own, and is reported to one listener. */

import type { Stat } from '../../../wire/zookeeper/records.ts'

export type ZnodeChange = 'created' | 'changed' | 'deleted'

export interface ZnodeOptions {
  /** Session that owns an ephemeral node; 0n or absent for a permanent node. */
  readonly owner?: bigint
}

interface Znode {
  readonly czxid: bigint
  readonly ctime: bigint
  readonly owner: bigint
  mzxid: bigint
  mtime: bigint
  pzxid: bigint
  version: number
  cversion: number
  readonly aversion: number
  data: Buffer
  readonly children: Set<string>
}

export interface ZnodeTreeOptions {
  /** Returns milliseconds since 1970. */
  readonly now: () => number
  readonly onChange: (change: ZnodeChange, path: string) => void
}

const ROOT = '/'
export const CONFIG_PATH = '/zookeeper/config'

/** Bits of an id that count transactions within a millisecond. A server makes fewer, so that ids grow over restarts, as ZooKeeper's do. */
const TRANSACTION_BITS = 20n

export class ZnodeTree {
  readonly #now: () => number
  readonly #onChange: (change: ZnodeChange, path: string) => void
  readonly #nodes = new Map<string, Znode>()
  #zxid: bigint

  constructor({ now, onChange }: ZnodeTreeOptions) {
    this.#now = now
    this.#onChange = onChange
    this.#zxid = BigInt(now()) << TRANSACTION_BITS
    // ZooKeeper's own nodes are older than its first transaction, and have these odd versions.
    this.#nodes.set(ROOT, ancient(-1, 0, ['zookeeper']))
    this.#nodes.set('/zookeeper', ancient(-2, 0, ['config', 'quota']))
    this.#nodes.set(CONFIG_PATH, ancient(0, -1, []))
    this.#nodes.set('/zookeeper/quota', ancient(0, 0, []))
  }

  /** Id of the last transaction. */
  get zxid(): bigint {
    return this.#zxid
  }

  /** Number of nodes. */
  get size(): number {
    return this.#nodes.size
  }

  data(path: string): Buffer | undefined {
    return this.#nodes.get(path)?.data
  }

  /** Names of the node's children, in no order; undefined where there is no such node. */
  children(path: string): readonly string[] | undefined {
    const node = this.#nodes.get(path)
    return node && [...node.children]
  }

  stat(path: string): Stat | undefined {
    const node = this.#nodes.get(path)
    if (node === undefined) return undefined
    const { czxid, mzxid, ctime, mtime, pzxid, version, cversion, aversion, owner } = node
    return {
      czxid,
      mzxid,
      ctime,
      mtime,
      version,
      cversion,
      aversion,
      ephemeralOwner: owner,
      dataLength: node.data.length,
      numChildren: node.children.size,
      pzxid,
    }
  }

  /** Number of nodes below the node, at any depth; undefined where there is no such node. */
  descendants(path: string): number | undefined {
    const node = this.#nodes.get(path)
    if (node === undefined) return undefined
    let count = node.children.size
    for (const name of node.children) count += this.descendants(childPath(path, name)) ?? 0
    return count
  }

  /** Creates the node and its missing parents, or replaces its data. */
  put(path: string, data: Buffer, { owner = 0n }: ZnodeOptions = {}): void {
    const node = this.#nodes.get(path)
    if (node === undefined) {
      this.#create(path, data, owner)
      return
    }
    this.#zxid++
    node.data = data
    node.version++
    node.mzxid = this.#zxid
    node.mtime = BigInt(this.#now())
    this.#onChange('changed', path)
  }

  /** Removes a node without children. Does nothing where there is no such node. */
  remove(path: string): void {
    if (!this.#nodes.delete(path)) return
    this.#zxid++
    const parent = this.#nodes.get(parentPath(path))!
    parent.children.delete(nameOf(path))
    parent.cversion++
    parent.pzxid = this.#zxid
    this.#onChange('deleted', path)
  }

  #create(path: string, data: Buffer, owner: bigint): void {
    const above = parentPath(path)
    if (!this.#nodes.has(above)) this.#create(above, Buffer.alloc(0), 0n)
    const parent = this.#nodes.get(above)!
    const zxid = ++this.#zxid
    const time = BigInt(this.#now())
    this.#nodes.set(path, {
      czxid: zxid,
      mzxid: zxid,
      pzxid: zxid,
      ctime: time,
      mtime: time,
      owner,
      version: 0,
      cversion: 0,
      aversion: 0,
      data,
      children: new Set(),
    })
    parent.children.add(nameOf(path))
    parent.cversion++
    parent.pzxid = zxid
    this.#onChange('created', path)
  }
}

export function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || ROOT
}

function childPath(path: string, name: string): string {
  return path === ROOT ? `/${name}` : `${path}/${name}`
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function ancient(cversion: number, aversion: number, children: readonly string[]): Znode {
  return {
    czxid: 0n,
    mzxid: 0n,
    pzxid: 0n,
    ctime: 0n,
    mtime: 0n,
    owner: 0n,
    version: 0,
    cversion,
    aversion,
    data: Buffer.alloc(0),
    children: new Set(children),
  }
}
