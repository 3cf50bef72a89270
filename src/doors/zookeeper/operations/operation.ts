/** One operation of the protocol: its request is read, and answered with a response or an error. */

import { HBaseError } from '../../../model/errors.ts'
import type { FramePart } from '../../../wire/zookeeper/frames.ts'
import type { JuteReader } from '../../../wire/zookeeper/jute-reader.ts'
import type { CatalogMirror } from '../tree/catalog-mirror.ts'
import type { Watcher, WatchTable } from '../tree/watch-table.ts'
import type { ZnodeTree } from '../tree/znode-tree.ts'

/** A user that a connection has named with `auth`. Nobody checks it: every user may read everything. */
export interface AuthInfo {
  readonly scheme: string
  readonly user: string
}

/** The nodes and watches of the server. */
export interface Znodes {
  readonly tree: ZnodeTree
  readonly watches: WatchTable
  readonly mirror: CatalogMirror
}

export interface OperationContext extends Znodes {
  readonly watcher: Watcher
  /** The client's address first. */
  readonly users: AuthInfo[]
}

/** Undefined: the answer is a header alone. */
export type Response = FramePart | undefined

/**
 * Throws ZooKeeperError for an error of the protocol, and IO for a request that cannot be read. Answers at once where it can:
 * the connection's next request waits for the promise.
 */
export type Operation = (reader: JuteReader, context: OperationContext) => Response | Promise<Response>

/** An error that the protocol has a code for. */
export class ZooKeeperError extends Error {
  override readonly name = 'ZooKeeperError'
  /** One of ERROR_CODE. */
  readonly err: number

  constructor(err: number) {
    super(`ZooKeeper error ${err}`)
    this.err = err
  }
}

/** A path of a request. The root is also called by an empty path. */
export function nodePath(path: string): string {
  return path === '' ? '/' : path
}

export function unreadable(what: string): HBaseError {
  return new HBaseError('IO', `A ZooKeeper message has ${what}`)
}
