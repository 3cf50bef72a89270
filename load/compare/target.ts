/** The servers that are compared: a real HBase, Tidegate on its engine, and Tidegate in front of that HBase. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../../test/harness/child-server.ts'
import { RealHBase } from '../../test/harness/real-hbase/real-hbase.ts'

export type TargetName = 'hbase' | 'engine' | 'cluster'
export type Door = 'thrift' | 'rest' | 'rpc'

export interface Target {
  readonly name: TargetName
  readonly ports: Readonly<Record<Door, number>>
  /** The process at the door. */
  readonly doors: Readonly<Record<Door, number>>
  /** All processes that a call needs: the region server of a gateway, too. */
  readonly all: Readonly<Record<Door, readonly number[]>>
}

export interface Targets {
  readonly hbase: Target
  readonly engine: Target
  readonly cluster: Target
  /** Where the engine has its files. */
  readonly folder: string
  readonly realHBase: RealHBase
  stop(): Promise<void>
}

const SERVE = new URL('../../src/cli/main.js', import.meta.url).pathname
const DOORS = ['--rest', '0', '--thrift', '0', '--rpc', '0', '--zookeeper', 'off', '--web', 'off']

/** `main`: the script of the command; that of this build where it is left out. `flags`: more of them. */
export function serve(
  store: string,
  main: string = SERVE,
  flags: readonly string[] = [],
): Promise<ChildServer> {
  return ChildServer.start(main, ['serve', '--store', store, ...DOORS, '--log-level', 'warn', ...flags])
}

/** `behind`: the processes that `server` asks. */
export function tidegate(name: TargetName, server: ChildServer, behind: readonly number[]): Target {
  const pid = server.pid!
  const all = [pid, ...behind]
  return {
    name,
    ports: { thrift: server.port('thrift'), rest: server.port('rest'), rpc: server.port('rpc') },
    doors: { thrift: pid, rest: pid, rpc: pid },
    all: { thrift: all, rest: all, rpc: all },
  }
}

export function hbaseTarget(real: RealHBase): Target {
  const [server, thrift, rest] = [real.pidOf('master'), real.pidOf('thrift1'), real.pidOf('rest')]
  return {
    name: 'hbase',
    ports: { thrift: real.ports.thrift1, rest: real.ports.rest, rpc: real.ports.regionServer },
    doors: { thrift, rest, rpc: server },
    all: { thrift: [thrift, server], rest: [rest, server], rpc: [server] },
  }
}

/** Starts all three. The caller stops them. */
export async function startTargets(): Promise<Targets> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-compare-'))
  const real = await RealHBase.start()
  const servers: ChildServer[] = []
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop()
    await real.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const engine = await serve(`native:${folder}`)
    servers.push(engine)
    const cluster = await serve(`hbase:127.0.0.1:${real.ports.zookeeper}`)
    servers.push(cluster)
    return {
      hbase: hbaseTarget(real),
      engine: tidegate('engine', engine, []),
      cluster: tidegate('cluster', cluster, [real.pidOf('master')]),
      folder,
      realHBase: real,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
