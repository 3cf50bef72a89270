/** The doors of `tidegate serve`, and the settings of their ports. */

import { InvalidArgumentError } from 'commander'
import { UsageError } from '../failures/usage-error.ts'
import { DEFAULT_MASTER_PORT, DEFAULT_RPC_PORT } from './advertise-options.ts'
import type { Setting, SettingKey, SettingsOf, Source } from './setting.ts'

/** A door's port, 0 for a free one. */
export type PortSetting = number | 'off'

export const DOOR_NAMES = ['rest', 'thrift', 'rpc', 'master', 'zookeeper', 'web', 'timeline'] as const
export type DoorName = (typeof DOOR_NAMES)[number]

/** The default ports of the doors, and what each speaks. */
const DOORS: Readonly<Record<DoorName, { readonly port: PortSetting; readonly about: string }>> = {
  rest: { port: 8080, about: 'REST' },
  thrift: { port: 9090, about: 'Thrift 1 and 2, every transport and protocol' },
  rpc: { port: DEFAULT_RPC_PORT, about: 'native RPC, for the Java client and the HBase shell' },
  master: {
    port: DEFAULT_MASTER_PORT,
    about:
      "native RPC as HBase's master answers it, for clients that ask there for the cluster; off where --rpc is not 16020",
  },
  zookeeper: { port: 2181, about: 'ZooKeeper, for clients that look there for HBase' },
  web: { port: 16010, about: 'console, /health, and /metrics for Prometheus' },
  timeline: { port: 'off', about: "YARN's Application Timeline Service, whose own port is 8188" },
}

function parsePortSetting(text: string): PortSetting {
  if (text === 'off') return 'off'
  const port = /^(?:0|[1-9]\d{0,4})$/.test(text) ? Number(text) : Number.NaN
  if (!(port >= 0 && port <= 65535)) {
    const advice = text.includes(':') ? ' The address of all doors is --host.' : ''
    throw new InvalidArgumentError(`It must be a port from 0 (any free one) to 65535, or off.${advice}`)
  }
  return port
}

const KEYS: Readonly<Partial<Record<DoorName, SettingKey<PortSetting>>>> = {
  rest: { name: 'hbase.rest.port' },
  thrift: { name: 'hbase.regionserver.thrift.port' },
  rpc: { name: 'hbase.regionserver.port', isOfCluster: true },
  master: { name: 'hbase.master.port', isOfCluster: true },
  zookeeper: { name: 'hbase.zookeeper.property.clientPort', isOfCluster: true },
  web: { name: 'hbase.master.info.port', isOfCluster: true },
}

export type Ports = Readonly<Record<DoorName, PortSetting>>

/**
 * The ports of all doors. The master's default counts only where native RPC has HBase's port: a second server on a machine would find it
 * in use. `source`: of the master's port. Throws UsageError where the master is on and native RPC is off.
 */
export function portsOf(values: Ports, source: Source): Ports {
  const { rest, thrift, rpc, master, zookeeper, web, timeline } = values
  const ports = { rest, thrift, rpc, master, zookeeper, web, timeline }
  if (source === 'default') return rpc === DEFAULT_RPC_PORT ? ports : { ...ports, master: 'off' }
  // The file of a cluster names the port of its master, and says nothing about this server.
  if (source === 'config' && rpc === 'off') return { ...ports, master: 'off' }
  if (master !== 'off' && rpc === 'off')
    throw new UsageError(
      '--master is a port of native RPC, which is off: give --rpc a port, or leave --master out.',
    )
  return ports
}

function portOf(name: DoorName): Setting<PortSetting> {
  const { port, about } = DOORS[name]
  const key = KEYS[name]
  return {
    group: 'Doors',
    takes: '<port>',
    about: `${about}: port, 0 for a free one, or off`,
    parse: parsePortSetting,
    fallback: port,
    ...(key && { key }),
  }
}

export const PORT_SETTINGS: SettingsOf<Ports> = {
  rest: portOf('rest'),
  thrift: portOf('thrift'),
  rpc: portOf('rpc'),
  master: portOf('master'),
  zookeeper: portOf('zookeeper'),
  web: portOf('web'),
  timeline: portOf('timeline'),
}
