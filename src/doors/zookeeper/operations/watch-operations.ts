/** Operations that set, check and remove watches. */

import { ADD_WATCH_MODE, ERROR_CODE, EVENT_TYPE, WATCHER_TYPE } from '../../../wire/zookeeper/codes.ts'
import { part } from '../../../wire/zookeeper/frames.ts'
import type { JuteReader } from '../../../wire/zookeeper/jute-reader.ts'
import {
  ADD_WATCH_REQUEST,
  ERROR_RESPONSE,
  SET_WATCHES,
  SET_WATCHES2,
  type SetWatches,
  WATCHER_TYPE_REQUEST,
} from '../../../wire/zookeeper/server-records.ts'
import { WATCH_KINDS, type WatchKind } from '../tree/watch-table.ts'
import {
  nodePath,
  type Operation,
  type OperationContext,
  type Response,
  unreadable,
  ZooKeeperError,
} from './operation.ts'

function addWatch(reader: JuteReader, { watches, watcher }: OperationContext): Response {
  const { path, mode } = ADD_WATCH_REQUEST.read(reader)
  if (mode !== ADD_WATCH_MODE.persistent && mode !== ADD_WATCH_MODE.persistentRecursive) {
    throw unreadable(`the mode ${mode} of a watch`)
  }
  const isRecursive = mode === ADD_WATCH_MODE.persistentRecursive
  watches.add(watcher, isRecursive ? 'persistentRecursive' : 'persistent', nodePath(path))
  return part(ERROR_RESPONSE, { err: ERROR_CODE.ok })
}

const KINDS_OF_TYPE: ReadonlyMap<number, readonly WatchKind[]> = new Map([
  [WATCHER_TYPE.children, ['children']],
  [WATCHER_TYPE.data, ['data']],
  [WATCHER_TYPE.any, WATCH_KINDS],
  [WATCHER_TYPE.persistent, ['persistent']],
  [WATCHER_TYPE.persistentRecursive, ['persistentRecursive']],
])

/** The watches of a request. Throws NO_WATCHER where the connection has no such watch. */
function watchesOf(
  reader: JuteReader,
  { watches, watcher }: OperationContext,
): { readonly path: string; readonly kinds: readonly WatchKind[] } {
  const { path: given, type } = WATCHER_TYPE_REQUEST.read(reader)
  const asked = KINDS_OF_TYPE.get(type)
  if (asked === undefined) throw unreadable(`the type ${type} of a watch`)
  const path = nodePath(given)
  const kinds = asked.filter((kind) => watches.has(watcher, kind, path))
  if (kinds.length === 0) throw new ZooKeeperError(ERROR_CODE.noWatcher)
  return { path, kinds }
}

function checkWatches(reader: JuteReader, context: OperationContext): Response {
  watchesOf(reader, context)
  return undefined
}

function removeWatches(reader: JuteReader, context: OperationContext): Response {
  const { path, kinds } = watchesOf(reader, context)
  for (const kind of kinds) context.watches.remove(context.watcher, kind, path)
  return undefined
}

/** Sets the watches of a client that has reconnected. It gets the events that it has missed at once. */
function restore(asked: SetWatches, { tree, watches, watcher }: OperationContext): void {
  const { relativeZxid } = asked
  for (const path of asked.dataWatches.map(nodePath)) {
    const stat = tree.stat(path)
    if (stat === undefined) watcher.event(EVENT_TYPE.nodeDeleted, path)
    else if (stat.mzxid > relativeZxid) watcher.event(EVENT_TYPE.nodeDataChanged, path)
    else watches.add(watcher, 'data', path)
  }
  for (const path of asked.existWatches.map(nodePath)) {
    if (tree.stat(path) === undefined) watches.add(watcher, 'data', path)
    else watcher.event(EVENT_TYPE.nodeCreated, path)
  }
  for (const path of asked.childWatches.map(nodePath)) {
    const stat = tree.stat(path)
    if (stat === undefined) watcher.event(EVENT_TYPE.nodeDeleted, path)
    else if (stat.pzxid > relativeZxid) watcher.event(EVENT_TYPE.nodeChildrenChanged, path)
    else watches.add(watcher, 'children', path)
  }
}

function setWatches(reader: JuteReader, context: OperationContext): Response {
  restore(SET_WATCHES.read(reader), context)
  return undefined
}

function setWatches2(reader: JuteReader, context: OperationContext): Response {
  const asked = SET_WATCHES2.read(reader)
  const { watches, watcher } = context
  restore(asked, context)
  for (const path of asked.persistentWatches) watches.add(watcher, 'persistent', nodePath(path))
  for (const path of asked.persistentRecursiveWatches) {
    watches.add(watcher, 'persistentRecursive', nodePath(path))
  }
  return undefined
}

export const WATCH_OPERATIONS: Readonly<
  Record<'addWatch' | 'checkWatches' | 'removeWatches' | 'setWatches' | 'setWatches2', Operation>
> = {
  addWatch,
  checkWatches,
  removeWatches,
  setWatches,
  setWatches2,
}
