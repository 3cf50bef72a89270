/** The addresses of the doors, and the rights of clients there. */

import { InvalidArgumentError } from 'commander'
import { isAddressOrRange } from '../../gateway/connections/address-set.ts'
import { parseHost } from '../flags/bind-address.ts'
import { ADVERTISE_SETTINGS, type AdvertiseValues } from './advertise-options.ts'
import { PORT_SETTINGS, type Ports } from './door-ports.ts'
import { type SettingsOf, yesNo } from './setting.ts'

export interface DoorValues extends Ports, AdvertiseValues {
  readonly host: string
  /** True: every door refuses changes. */
  readonly readOnly: boolean
  /** True: the console of the web door may change tables and rows. */
  readonly consoleWrites: boolean
  /** Origins of pages whose scripts may use the REST door, or `*`; empty: CORS is off. */
  readonly corsOrigin: readonly string[]
  /** Addresses and ranges of proxies that may say where a request comes from. */
  readonly trustedProxies: readonly string[]
}

/** The settings as the doors get them. */
export interface DoorSettings {
  /** True: every door refuses changes. */
  readonly readOnly: boolean
  /** True: the console of the web door may change tables and rows. */
  readonly consoleWrites: boolean
  /** True: the REST door refuses changes. HBase: hbase.rest.readonly. */
  readonly restReadOnly: boolean
  /** Origins of pages whose scripts may use the REST door, or `*`; empty: CORS is off. */
  readonly corsOrigins: readonly string[]
}

export const DOOR_SETTINGS: SettingsOf<DoorValues> = {
  host: {
    group: 'Doors',
    takes: '<address>',
    about: 'the address that every door binds',
    parse: parseHost,
    fallback: '127.0.0.1',
    key: { name: 'hbase.rest.host' },
  },
  ...PORT_SETTINGS,
  readOnly: yesNo('Doors', 'refuse writes, changes of tables, and upkeep at every door'),
  consoleWrites: yesNo('Doors', "the web door's console may change tables and rows"),
  corsOrigin: {
    group: 'Doors',
    takes: '<origin>',
    about:
      "an origin whose pages' scripts may use the REST door: https://example.org, or * for all; may be repeated",
    parse: addOrigins,
    repeats: true,
    fallback: [],
  },
  ...ADVERTISE_SETTINGS,
  trustedProxies: {
    group: 'Doors',
    takes: '<address,...>',
    about:
      'proxies, as 10.0.0.1 or 10.0.0.0/8, whose X-Forwarded-For and X-Forwarded-Proto say where requests of HTTP come from',
    parse: parseProxies,
    fallback: [],
  },
}

/** Commas separate the origins of one text, because a variable has one value only. */
function addOrigins(text: string, before: readonly string[]): readonly string[] {
  return [...before, ...text.split(',').map((origin) => checkedOrigin(origin.trim()))]
}

function checkedOrigin(text: string): string {
  if (text === '*' || (URL.canParse(text) && new URL(text).origin === text)) return text
  throw new InvalidArgumentError('It must be scheme://host[:port] as browsers send it, or *.')
}

function parseProxies(text: string): readonly string[] {
  const proxies = text.split(',').map((proxy) => proxy.trim())
  for (const proxy of proxies) {
    if (!isAddressOrRange(proxy))
      throw new InvalidArgumentError(`${proxy} is no address and no range of them.`)
    if (proxy.endsWith('/0'))
      throw new InvalidArgumentError(`${proxy} is every address: each client could say where it comes from.`)
  }
  return proxies
}
