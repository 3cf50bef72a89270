/** The doors of `tidegate serve`, and the settings of their ports. */

import { type Command, InvalidArgumentError } from 'commander'
import { UsageError } from '../failures/usage-error.ts'
import { DEFAULT_MASTER_PORT, DEFAULT_RPC_PORT } from './advertise-options.ts'

/** A door's port, 0 for a free one. */
export type PortSetting = number | 'off'

export const DOOR_NAMES = ['rest', 'thrift', 'rpc', 'master', 'zookeeper', 'web', 'timeline'] as const
export type DoorName = (typeof DOOR_NAMES)[number]

export const DOORS: Readonly<Record<DoorName, { readonly port: PortSetting; readonly about: string }>> = {
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

export function parsePortSetting(text: string): PortSetting {
  if (text === 'off') return 'off'
  const port = /^(?:0|[1-9]\d{0,4})$/.test(text) ? Number(text) : Number.NaN
  if (!(port >= 0 && port <= 65535)) {
    const advice = text.includes(':') ? ' The address of all doors is --host.' : ''
    throw new InvalidArgumentError(`It must be a port from 0 (any free one) to 65535, or off.${advice}`)
  }
  return port
}

/**
 * The ports as `valueOf` has them, without the default of the master's where native RPC has another port than HBase's: a second server on a
 * machine would find it in use. Throws UsageError where only the master's is on.
 */
export function portsOf(
  command: Command,
  valueOf: (name: DoorName) => unknown,
): Readonly<Record<DoorName, PortSetting>> {
  const ports = Object.fromEntries(DOOR_NAMES.map((name) => [name, valueOf(name)])) as Record<
    DoorName,
    PortSetting
  >
  const isDefault = command.getOptionValueSource('master') === 'default'
  if (isDefault) return ports.rpc === DEFAULT_RPC_PORT ? ports : { ...ports, master: 'off' }
  // A cluster's file names its master's port, whatever this server opens.
  const isOfFile = command.getOptionValueSource('master') === 'config'
  if (isOfFile && ports.rpc === 'off') return { ...ports, master: 'off' }
  if (ports.master !== 'off' && ports.rpc === 'off')
    throw new UsageError(
      '--master is a port of native RPC, which is off: give --rpc a port, or leave --master out.',
    )
  return ports
}
