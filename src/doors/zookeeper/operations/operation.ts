/** An operation of the protocol: reads its request, and answers it with a response or an error. */

import { HBaseError } from '../../../model/errors.ts'
import type { FramePart } from '../../../wire/zookeeper/frames.ts'
import type { JuteReader } from '../../../wire/zookeeper/jute-reader.ts'
import type { SaslSession } from '../session/sasl-session.ts'
import type { CatalogMirror } from '../tree/catalog-mirror.ts'
import type { Watcher, WatchTable } from '../tree/watch-table.ts'
import type { ZnodeTree } from '../tree/znode-tree.ts'

/** A user that a connection has named with `auth`, unchecked, or that has logged in by SASL. Every user may read all nodes. */
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
  /** Users of the connection. The first one is the client's address. */
  readonly users: AuthInfo[]
  readonly login: SaslSession
}

/** The body of an answer; undefined for an answer that is only a header. */
export type Response = FramePart | undefined

/**
 * Runs an operation. Throws ZooKeeperError for an error of the protocol, and IO for a request that cannot be read. Answers without a promise
 * where it can: the connection's next request waits for a promise.
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

/** The path of a node in a request. An empty path also stands for the root. */
export function nodePath(path: string): string {
  return path === '' ? '/' : path
}

export function unreadable(what: string): HBaseError {
  return new HBaseError('IO', `A ZooKeeper message has ${what}`)
}
