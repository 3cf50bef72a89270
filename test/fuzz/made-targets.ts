/** Targets whose inputs are made here. They load quickly, since they need none of the recorded requests. */

import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { cellLines, cellTable, exportFile } from './cell-files.ts'
import { configFile } from './config-file.ts'
import { digestLogin, digestMessage } from './digest-md5.ts'
import { log } from './log.ts'
import { manifest } from './manifest.ts'
import { authCookie, hadoopToken, negotiateHeader } from './negotiation.ts'
import { protectedFrame } from './protected-frame.ts'
import { restTextJson } from './rest-text-json.ts'
import { rpc } from './rpc.ts'
import { rpcLogin } from './rpc-login.ts'
import { rpcMulti, rpcRequest } from './rpc-request.ts'
import { restAnswer, saslAnswer, thriftAnswer } from './server-answers.ts'
import { shellLines } from './shell-lines.ts'
import { storeFile } from './store-file.ts'
import { timelineFst, timelineJson } from './timeline.ts'
import { zookeeper } from './zookeeper.ts'

export const MADE_TARGETS: readonly FuzzTarget[] = [
  restTextJson,
  timelineJson,
  timelineFst,
  rpc,
  rpcRequest,
  rpcMulti,
  rpcLogin,
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
  protectedFrame,
  digestLogin,
  digestMessage,
  restAnswer,
  negotiateHeader,
  authCookie,
  hadoopToken,
]
