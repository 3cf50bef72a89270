/** The keys of an hbase-site.xml that Tidegate reads. */

import { NATIVE_KEYS } from '../../../adapters/native/options/native-settings.ts'
import { TIMELINE_KEYS } from '../../doors/timeline/service/timeline-settings.ts'
import { ZNODE_PARENT } from './advertise-options.ts'
import { BROWSER_KEYS } from './browser-settings.ts'
import { CLUSTER_KEYS } from './cluster-options.ts'
import { KERBEROS_CLUSTER_KEYS, KERBEROS_DOOR_KEYS, KERBEROS_SERVER_KEYS } from './kerberos-keys.ts'
import { LABEL_KEYS } from './label-options.ts'
import { REPLICATION_KEYS } from './replication-options.ts'
import { KEYED_SETTINGS } from './settings-table.ts'

/** True: the REST door refuses changes. */
export const REST_READ_ONLY = 'hbase.rest.readonly'

/** True: quotas can be set, and namespaces have the limits that their properties state. */
export const QUOTAS = 'hbase.quota.enabled'

/** The keys of each kind of store, which `-D` may state. */
export const STORE_KEYS: Readonly<Record<'native' | 'memory' | 'hbase', readonly string[]>> = {
  native: [...NATIVE_KEYS, ...REPLICATION_KEYS, ...KERBEROS_SERVER_KEYS],
  memory: [QUOTAS, ...KERBEROS_SERVER_KEYS],
  hbase: [...CLUSTER_KEYS, ...KERBEROS_CLUSTER_KEYS],
}

/** The keys of Tidegate's options and doors, in front of any store. */
export const OPTION_KEYS: readonly string[] = [
  ...KEYED_SETTINGS.map(({ key }) => key.name),
  ...TIMELINE_KEYS,
  REST_READ_ONLY,
  ZNODE_PARENT,
  ...LABEL_KEYS,
  ...BROWSER_KEYS,
  ...KERBEROS_DOOR_KEYS,
]
