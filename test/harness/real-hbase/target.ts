import type { Target } from '../../../conformance/src/runner/exchange.ts'
import { QUICK_SETTINGS } from './quick-settings.ts'
import { RealHBase } from './real-hbase.ts'

export interface RealHBaseTarget {
  readonly target: Target
  /** Where a native client finds the cluster: `HOST:PORT` of its ZooKeeper. */
  readonly quorum: string
  /** Replaces the REST server by a new process. Not there where the HBase is somebody else's. */
  readonly restartRest?: () => Promise<void>
  stop(): Promise<void>
}

/** A real HBase: the running one that TIDEGATE_REAL_HBASE names (zookeeper:PORT,rest:PORT,thrift1:PORT,
 * thrift2:PORT, and for native RPC regionServer:PORT,master:PORT), or a new one. */
export async function realHBaseTarget(): Promise<RealHBaseTarget> {
  const given = process.env['TIDEGATE_REAL_HBASE']
  if (given === undefined) {
    const hbase = await RealHBase.start({ settings: QUICK_SETTINGS })
    return {
      target: { ...targetOf(hbase.ports), rpc: rpcOf(hbase.ports) },
      quorum: `127.0.0.1:${hbase.ports.zookeeper}`,
      restartRest: () => hbase.restartRest(),
      stop: () => hbase.stop(),
    }
  }
  const port = (name: string): number => {
    const match = new RegExp(`\\b${name}:(\\d+)`).exec(given)
    if (match === null) throw new Error(`TIDEGATE_REAL_HBASE names no port of ${name}: ${given}`)
    return Number(match[1])
  }
  const ports = { rest: port('rest'), thrift1: port('thrift1'), thrift2: port('thrift2') }
  const hasRpc = /\bregionServer:\d+.*\bmaster:\d+|\bmaster:\d+.*\bregionServer:\d+/.test(given)
  const rpc = hasRpc ? rpcOf({ regionServer: port('regionServer'), master: port('master') }) : undefined
  return {
    target: { ...targetOf(ports), rpc },
    quorum: `127.0.0.1:${port('zookeeper')}`,
    stop: async () => undefined,
  }
}

function rpcOf({ regionServer, master }: { regionServer: number; master: number }): Target['rpc'] {
  const host = '127.0.0.1'
  return { regionServer: { host, port: regionServer }, master: { host, port: master } }
}

function targetOf(ports: { rest: number; thrift1: number; thrift2: number }): Target {
  const host = '127.0.0.1'
  return {
    rest: `http://${host}:${ports.rest}`,
    thrift1: { host, port: ports.thrift1 },
    thrift2: { host, port: ports.thrift2 },
  }
}
