/** The servers whose answers to clients of HBase's native RPC are compared. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Option } from 'commander'
import { packageRoot } from '../../../src/package-root.ts'
import { ChildServer } from '../child-server.ts'
import { RealHBase } from '../real-hbase/real-hbase.ts'

const SERVE = fileURLToPath(new URL('dist/src/cli/main.js', packageRoot()))

/** How a client finds the servers. */
export type Registry = 'rpc' | 'master' | 'zookeeper'

export interface ClientTarget {
  /** `HOST:PORT` of what the registry asks. */
  readonly address: string
  stop(): Promise<unknown>
}

export function registryOption(choices: readonly Registry[]): Option {
  return new Option('--registry <kind>').choices(choices).default(choices[0])
}

/** `wanted`: `tidegate`, with its data in the folder; `real`, both of them new; or the `HOST:PORT` of a running server. */
export async function clientTarget(
  wanted: string,
  registry: Registry,
  folder: string,
): Promise<ClientTarget> {
  if (wanted === 'tidegate') return tidegate(registry, folder)
  if (wanted === 'real') return real(registry)
  return { address: wanted, stop: () => Promise.resolve() }
}

async function tidegate(registry: Registry, folder: string): Promise<ClientTarget> {
  const doors = ['--rest', 'off', '--thrift', 'off', '--web', 'off', '--rpc', '0']
  doors.push('--zookeeper', registry === 'zookeeper' ? '0' : 'off')
  const store = `native:${join(folder, 'data')}`
  const server = await ChildServer.start(SERVE, ['serve', '--store', store, ...doors, '--log-level', 'error'])
  const port = server.port(registry === 'zookeeper' ? 'zookeeper' : 'rpc')
  return { address: `127.0.0.1:${port}`, stop: () => server.stop() }
}

async function real(registry: Registry): Promise<ClientTarget> {
  const hbase = await RealHBase.start({ gateways: false })
  const { regionServer, master, zookeeper } = hbase.ports
  const port = { rpc: regionServer, master, zookeeper }[registry]
  return { address: `127.0.0.1:${port}`, stop: () => hbase.stop() }
}
