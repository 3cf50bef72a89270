import { HBaseError } from '../../../src/model/errors.ts'
import { type ClusterAddress, DEFAULT_ZNODE_PARENT } from '../config/cluster-address.ts'

/** The cluster of a key `host1,host2:port:/znode`; a host may have a port of its own. HBase: ZKConfig.transformClusterKey. */
export function readClusterKey(key: string): ClusterAddress {
  const parts = key.split(':')
  if (parts.length < 3) throw invalid(key)
  const [port, znodeParent = DEFAULT_ZNODE_PARENT] = parts.slice(-2)
  const hosts = parts.slice(0, -2).join(':').split(',')
  const servers = hosts.map((text) => {
    const [host, own] = text.trim().split(':')
    return { host: host!, port: Number(own ?? port) }
  })
  if (servers.some(({ host, port: each }) => host === '' || !(each > 0 && each < 65_536))) throw invalid(key)
  return { registry: 'zookeeper', servers, znodeParent }
}

function invalid(key: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `Invalid cluster key: ${key}: it must be HOSTS:PORT:/ZNODE`)
}
