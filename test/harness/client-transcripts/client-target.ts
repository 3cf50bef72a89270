/** The servers whose answers to clients of HBase's native RPC are compared. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Option } from 'commander'
import { packageRoot } from '../../../src/package-root.ts'
import { ChildServer } from '../child-server.ts'
import { mainKeptBusy } from '../idle-connection.ts'
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

/** Settings of a new server by HBase's keys. A real HBase may need more of them, and jars of coprocessors. */
export interface ServerSettings {
  readonly tidegate?: Readonly<Record<string, string>>
  readonly real?: Readonly<Record<string, string | number>>
  readonly jars?: () => readonly string[]
  /** Java heap of a real HBase, as `1g`. */
  readonly heap?: string
}

/** `wanted`: `tidegate`, with its data in the folder; `real`; `proxy`, Tidegate in front of a real one, all new; or the `HOST:PORT` of a running server. */
export async function clientTarget(
  wanted: string,
  registry: Registry,
  folder: string,
  settings: ServerSettings = {},
): Promise<ClientTarget> {
  if (wanted === 'tidegate') return tidegate(registry, folder, settings)
  if (wanted === 'real') return real(registry, settings)
  if (wanted === 'proxy') return proxy(registry, settings)
  return { address: wanted, stop: () => Promise.resolve() }
}

async function tidegate(
  registry: Registry,
  folder: string,
  { tidegate: own = {} }: ServerSettings,
): Promise<ClientTarget> {
  const server = await serve(`native:${join(folder, 'data')}`, registry, own)
  return { address: addressOf(server, registry), stop: () => server.stop() }
}

function realHBase({ real: settings = {}, jars, heap }: ServerSettings): Promise<RealHBase> {
  return RealHBase.start({
    gateways: false,
    settings,
    jars: jars?.() ?? [],
    ...(heap !== undefined && { heap }),
  })
}

async function proxy(registry: Registry, settings: ServerSettings): Promise<ClientTarget> {
  const hbase = await realHBase(settings)
  try {
    const server = await serve(`hbase:127.0.0.1:${hbase.ports.zookeeper}`, registry)
    const stop = async (): Promise<void> => {
      await server.stop()
      await hbase.stop()
    }
    return { address: addressOf(server, registry), stop }
  } catch (error) {
    await hbase.stop()
    throw error
  }
}

async function serve(
  store: string,
  registry: Registry,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildServer> {
  const doors = ['--rest', 'off', '--thrift', 'off', '--web', 'off', '--rpc', '0']
  doors.push('--zookeeper', registry === 'zookeeper' ? '0' : 'off')
  doors.push('--master', registry === 'master' ? '0' : 'off')
  for (const [key, value] of Object.entries(settings)) doors.push('-D', `${key}=${value}`)
  const server = await ChildServer.start(SERVE, ['serve', '--store', store, ...doors, '--log-level', 'error'])
  await mainKeptBusy(server, 'rpc')
  return server
}

function addressOf(server: ChildServer, registry: Registry): string {
  return `127.0.0.1:${server.port(registry)}`
}

async function real(registry: Registry, settings: ServerSettings): Promise<ClientTarget> {
  const hbase = await realHBase(settings)
  const { regionServer, master, zookeeper } = hbase.ports
  const port = { rpc: regionServer, master, zookeeper }[registry]
  return { address: `127.0.0.1:${port}`, stop: () => hbase.stop() }
}
