/** Operations that read one node. */

import { ERROR_CODE, PERMISSION } from '../../../wire/zookeeper/codes.ts'
import { part } from '../../../wire/zookeeper/frames.ts'
import type { JuteReader } from '../../../wire/zookeeper/jute-reader.ts'
import {
  EXISTS_RESPONSE,
  GET_CHILDREN_RESPONSE,
  GET_CHILDREN2_RESPONSE,
  GET_DATA_RESPONSE,
  PATH_REQUEST,
  SYNC_PATH,
} from '../../../wire/zookeeper/records.ts'
import { GET_ACL_RESPONSE, GET_ALL_CHILDREN_NUMBER_RESPONSE } from '../../../wire/zookeeper/server-records.ts'
import type { WatchKind } from '../tree/watch-table.ts'
import { CONFIG_PATH } from '../tree/znode-tree.ts'
import {
  nodePath,
  type Operation,
  type OperationContext,
  type Response,
  ZooKeeperError,
} from './operation.ts'

type Answer = (path: string, context: OperationContext) => Response

/** Returns the value. Throws NO_NODE for undefined. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new ZooKeeperError(ERROR_CODE.noNode)
  return value
}

const getData: Answer = (path, { tree }) => {
  const stat = present(tree.stat(path))
  return part(GET_DATA_RESPONSE, { data: tree.data(path)!, stat })
}

const getChildren: Answer = (path, { tree }) =>
  part(GET_CHILDREN_RESPONSE, { children: present(tree.children(path)) })

const getChildren2: Answer = (path, { tree }) => {
  const children = present(tree.children(path))
  return part(GET_CHILDREN2_RESPONSE, { children, stat: tree.stat(path)! })
}

const exists: Answer = (path, { tree }) => part(EXISTS_RESPONSE, { stat: present(tree.stat(path)) })

const getAcl: Answer = (path, { tree }) => {
  const stat = present(tree.stat(path))
  const perms = path === CONFIG_PATH ? PERMISSION.read : PERMISSION.all
  return part(GET_ACL_RESPONSE, { acl: [{ perms, id: { scheme: 'world', id: 'anyone' } }], stat })
}

const getAllChildrenNumber: Answer = (path, { tree }) =>
  part(GET_ALL_CHILDREN_NUMBER_RESPONSE, { totalNumber: present(tree.descendants(path)) })

/** Makes a read that also sets a watch, if the request asks for it. `always`: also where the node does not exist. */
function watching(kind: WatchKind, answer: Answer, always = false): Operation {
  return (reader, context) => {
    const { path: given, watch } = PATH_REQUEST.read(reader)
    const path = nodePath(given)
    return afterFreshening(path, context, () => {
      // Sets the watch before the answer is made: if that fails, the request fails.
      if (watch && (always || context.tree.data(path) !== undefined)) {
        context.watches.add(context.watcher, kind, path)
      }
      return answer(path, context)
    })
  }
}

function plain(answer: Answer): Operation {
  return (reader, context) => {
    const path = nodePath(SYNC_PATH.read(reader).path)
    return afterFreshening(path, context, () => answer(path, context))
  }
}

function afterFreshening(
  path: string,
  { mirror }: OperationContext,
  answer: () => Response,
): Response | Promise<Response> {
  const waiting = mirror.freshen(path)
  return waiting === undefined ? answer() : waiting.then(answer)
}

/** Answers at once: all acknowledged changes are visible already. */
function sync(reader: JuteReader): Response {
  return part(SYNC_PATH, SYNC_PATH.read(reader))
}

export const READS: Readonly<
  Record<
    'exists' | 'getData' | 'getChildren' | 'getChildren2' | 'getAcl' | 'getAllChildrenNumber' | 'sync',
    Operation
  >
> = {
  exists: watching('data', exists, true),
  getData: watching('data', getData),
  getChildren: watching('children', getChildren),
  getChildren2: watching('children', getChildren2),
  getAcl: plain(getAcl),
  getAllChildrenNumber: plain(getAllChildrenNumber),
  sync,
}
