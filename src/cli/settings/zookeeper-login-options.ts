/** The login to a cluster's ZooKeeper, by the keys of hbase-site.xml and of ZooKeeper's Java client. */

import {
  DEFAULT_ZOOKEEPER_LOGIN,
  type ZooKeeperLoginOptions,
} from '../../../adapters/hbase/config/zookeeper-login.ts'
import { parseFlag } from './setting-flag.ts'

const SASL = 'zookeeper.sasl.client'
const SERVICE = 'zookeeper.sasl.client.username'
const PRINCIPAL = 'zookeeper.server.principal'
const REALM = 'zookeeper.server.realm'
const ASKS_FOR_NAMES = 'zookeeper.sasl.client.canonicalize.hostname'
/** The login itself is the cluster's: this key says that ZooKeeper wants it. */
const CLIENT_PRINCIPAL = 'hbase.zookeeper.client.kerberos.principal'

export const ZOOKEEPER_LOGIN_KEYS: readonly string[] = [
  SASL,
  SERVICE,
  PRINCIPAL,
  REALM,
  ASKS_FOR_NAMES,
  CLIENT_PRINCIPAL,
]

/** Undefined where no key is stated. Throws UsageError with the key. */
export function zookeeperLogin(properties: ReadonlyMap<string, string>): ZooKeeperLoginOptions | undefined {
  const stated = (key: string): string | undefined => properties.get(key) || undefined
  if (ZOOKEEPER_LOGIN_KEYS.every((key) => stated(key) === undefined)) return undefined
  const isSet = (key: string): boolean => parseFlag(key, stated(key) ?? 'true')
  const use = isSet(SASL) ? (stated(CLIENT_PRINCIPAL) === undefined ? 'asked' : 'always') : 'never'
  return {
    use,
    service: stated(SERVICE) ?? DEFAULT_ZOOKEEPER_LOGIN.service,
    principal: stated(PRINCIPAL),
    realm: stated(REALM),
    asksForNames: isSet(ASKS_FOR_NAMES),
  }
}
