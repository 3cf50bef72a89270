/** All targets of `npm run fuzz`. A new one is a file beside this one, and a line here. */

import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { CANARIES } from './canaries.ts'
import { cellLines, cellTable, exportFile } from './cell-files.ts'
import { configFile } from './config-file.ts'
import { restDoor, rpcDoor, thriftDoor, zooKeeperDoor } from './doors.ts'
import { filterJson, filterProtobuf, filterString } from './filters.ts'
import { log } from './log.ts'
import { manifest } from './manifest.ts'
import { restJson } from './rest-json.ts'
import { restProtobuf } from './rest-protobuf.ts'
import { restTextJson } from './rest-text-json.ts'
import { restUrl } from './rest-url.ts'
import { restXml } from './rest-xml.ts'
import { rpc } from './rpc.ts'
import { rpcRequest } from './rpc-request.ts'
import { restAnswer, saslAnswer, thriftAnswer } from './server-answers.ts'
import { shellLines } from './shell-lines.ts'
import { storeFile } from './store-file.ts'
import { thriftBinary, thriftCompact } from './thrift.ts'
import { timelineFst, timelineJson } from './timeline.ts'
import { zookeeper } from './zookeeper.ts'

/** Doors of a built server, which the others' inputs reach through sockets. */
export const DOORS: readonly FuzzTarget[] = [restDoor, thriftDoor, zooKeeperDoor, rpcDoor]

export const TARGETS: readonly FuzzTarget[] = [
  restJson,
  restTextJson,
  restXml,
  restProtobuf,
  restUrl,
  thriftBinary,
  thriftCompact,
  timelineJson,
  timelineFst,
  filterString,
  filterJson,
  filterProtobuf,
  rpc,
  rpcRequest,
  zookeeper,
  log,
  storeFile,
  manifest,
  configFile,
  cellLines,
  cellTable,
  exportFile,
  shellLines,
  thriftAnswer,
  saslAnswer,
  restAnswer,
  ...DOORS,
]

/** Throws where there is none. Canaries are found too. */
export function targetNamed(name: string): FuzzTarget {
  const target = [...TARGETS, ...CANARIES].find((each) => each.name === name)
  if (target !== undefined) return target
  throw new Error(`no target ${name}: there are ${TARGETS.map((each) => each.name).join(', ')}`)
}
