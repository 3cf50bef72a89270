/** The key of a cluster, `host1,host2:port:/znode`, where each host may have a port of its own. HBase: ZKConfig.transformClusterKey. */

import { HBaseError } from '../../../model/errors.ts'

const PARENT = /^\/.*[^/]$/
const PORT = /^[+-]?\d+$/

/** Throws DO_NOT_RETRY where HBase's master does. */
export function checkClusterKey(key: string): void {
  const parts = key.split(':')
  const [port, parent] = parts.slice(-2)
  if (parts.length < 3 || !PARENT.test(parent!) || !PORT.test(port!))
    throw new HBaseError('DO_NOT_RETRY', `Invalid cluster key: ${key}: it must be HOSTS:PORT:/ZNODE`)
}
