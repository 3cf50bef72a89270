/** What the native RPC door and the ZooKeeper door tell clients about this server. */

import { hostname } from 'node:os'
import { InvalidArgumentError, Option } from 'commander'
import type { OwnServer } from '../../gateway/door.ts'
import { messageOf } from '../../model/message-of.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parseHost } from '../flags/bind-address.ts'
import { ZNODE_PARENT } from './setting-keys.ts'

/** An address that clients reach the native RPC door by: behind a port map or a proxy another than it listens on. */
export interface AdvertisedAddress {
  readonly host: string
  /** Undefined: the port of the door. */
  readonly port: number | undefined
}

/** As `--advertise` has it. */
export function advertisedText({ host, port }: AdvertisedAddress): string {
  if (port === undefined) return host
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

export interface AdvertiseSettings {
  readonly advertise: AdvertisedAddress | undefined
  /** The parent of the znodes. HBase: zookeeper.znode.parent. */
  readonly znodeParent: string
}

export const DEFAULT_ZNODE_PARENT = '/hbase'

/** HBase: HConstants.DEFAULT_REGIONSERVER_PORT. */
export const DEFAULT_RPC_PORT = 16020

/** HBase: HConstants.DEFAULT_MASTER_PORT. */
export const DEFAULT_MASTER_PORT = 16000

export const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

export function advertiseOptions(): readonly Option[] {
  return [
    new Option(
      '--advertise <host[:port]>',
      "the address at which clients of native RPC and ZooKeeper are told to connect; without it --host, or this machine's name for every address, and --rpc",
    )
      .env('TIDEGATE_ADVERTISE')
      .argParser(parseAdvertised),
    new Option('--znode-parent <path>', 'the parent of the znodes of the ZooKeeper door')
      .env('TIDEGATE_ZNODE_PARENT')
      .argParser(parseZnodeParent)
      .default(DEFAULT_ZNODE_PARENT),
  ]
}

/** `HOST` or `HOST:PORT`; an IPv6 address with a port in brackets. */
function parseAdvertised(text: string): AdvertisedAddress {
  const [, bracketed, named, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::([1-9]\d{0,4}))?$/.exec(text) ?? []
  const host = parseHost(bracketed ?? named ?? text)
  const number = port === undefined ? undefined : Number(port)
  if (ANY_ADDRESS.has(host) || (number !== undefined && number > 65_535)) {
    throw new InvalidArgumentError('It must be HOST or HOST:PORT, an address that clients can connect to.')
  }
  return { host, port: number }
}

/** Throws InvalidArgumentError for a path that ZooKeeper refuses, and for the root. */
function parseZnodeParent(text: string): string {
  const names = text.split('/').slice(1)
  const isPath = text.startsWith('/') && names.every((name) => /^(?!\.{1,2}$)\P{Cc}+$/u.test(name))
  if (isPath && names[0] !== 'zookeeper') return text
  throw new InvalidArgumentError('It must be a path such as /hbase, without a slash at its end.')
}

/**
 * The parent as its option says, or else the key of `properties`: of a store on a cluster that key names the cluster's own
 * node. Throws UsageError.
 */
export function znodeParentOf(
  option: { readonly value: string; readonly isDefault: boolean },
  properties: ReadonlyMap<string, string>,
): string {
  const text = properties.get(ZNODE_PARENT)
  if (!option.isDefault || text === undefined) return option.value
  try {
    return parseZnodeParent(text)
  } catch (error) {
    const reason = messageOf(error)
    throw new UsageError(`${ZNODE_PARENT} = "${text}" is invalid. ${reason}`)
  }
}

/**
 * The region server that clients are told, until the native RPC door says which port it has. Without that door its port is the
 * one that the door would have. A door that binds every address is told by the machine's name.
 */
export function ownServer(
  rpc: number | 'off',
  { host, advertise }: { readonly host?: string; readonly advertise?: AdvertisedAddress | undefined } = {},
  startCode: number = Date.now(),
): OwnServer {
  const bound = host === undefined || ANY_ADDRESS.has(host) ? hostname() : host
  const port = rpc === 'off' || rpc === 0 ? DEFAULT_RPC_PORT : rpc
  return { host: advertise?.host ?? bound, port: advertise?.port ?? port, startCode }
}
