/** The address and the znodes by which clients of the native RPC door and of the ZooKeeper door find this server. */

import { hostname } from 'node:os'
import { InvalidArgumentError } from 'commander'
import type { OwnServer } from '../../gateway/door.ts'
import { messageOf } from '../../model/message-of.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parseHost } from '../flags/bind-address.ts'
import type { SettingsOf, Source } from './setting.ts'

/** The address at which clients reach the native RPC door. Behind a port map or a proxy it differs from the bound one. */
export interface AdvertisedAddress {
  readonly host: string
  /** Undefined: the port of the door. */
  readonly port: number | undefined
}

/** The address as `--advertise` takes it. */
export function advertisedText({ host, port }: AdvertisedAddress): string {
  if (port === undefined) return host
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

export interface AdvertiseValues {
  /** Undefined: clients get the bound address, or the machine's name. */
  readonly advertise: AdvertisedAddress | undefined
  /** The parent of the znodes of the ZooKeeper door. */
  readonly znodeParent: string
}

/** HBase's key of the parent of the znodes: of the cluster where the store is one, else of the ZooKeeper door. */
export const ZNODE_PARENT = 'zookeeper.znode.parent'

export const DEFAULT_ZNODE_PARENT = '/hbase'

/** HBase: HConstants.DEFAULT_REGIONSERVER_PORT. */
export const DEFAULT_RPC_PORT = 16020

/** HBase: HConstants.DEFAULT_MASTER_PORT. */
export const DEFAULT_MASTER_PORT = 16000

export const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

export const ADVERTISE_SETTINGS: SettingsOf<AdvertiseValues> = {
  advertise: {
    group: 'Doors',
    takes: '<host[:port]>',
    about:
      "the address to which clients of native RPC and ZooKeeper connect; without it --host, or this machine's name for every address, and --rpc",
    parse: parseAdvertised,
    fallback: undefined,
  },
  znodeParent: {
    group: 'Doors',
    takes: '<path>',
    about: 'the parent of the znodes of the ZooKeeper door',
    parse: parseZnodeParent,
    fallback: DEFAULT_ZNODE_PARENT,
  },
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
 * The parent that the flag or variable states, or else the key. With a cluster as the store the key names the cluster's own node: `properties`
 * are then empty. Throws UsageError.
 */
export function znodeParentOf(
  { znodeParent }: Pick<AdvertiseValues, 'znodeParent'>,
  source: Source,
  properties: ReadonlyMap<string, string>,
): string {
  const text = properties.get(ZNODE_PARENT)
  if (source !== 'default' || text === undefined) return znodeParent
  try {
    return parseZnodeParent(text)
  } catch (error) {
    const reason = messageOf(error)
    throw new UsageError(`${ZNODE_PARENT} = "${text}" is invalid. ${reason}`)
  }
}

/**
 * The address and start code of the region server that clients get, until the native RPC door knows its port. Without that door the port
 * is the door's default. A door that binds every address goes by the machine's name.
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
