/** The keys of an hbase-site.xml that Tidegate reads. */

import { NATIVE_KEYS } from '../../../adapters/native/options/native-settings.ts'
import { TIMELINE_KEYS } from '../../doors/timeline/service/timeline-settings.ts'
import { BROWSER_KEYS } from './browser-settings.ts'
import { CLUSTER_KEYS } from './cluster-options.ts'
import { LABEL_KEYS } from './label-options.ts'

/** HBase's keys for Tidegate's options. */
export const HBASE_KEYS: Readonly<Record<string, string>> = {
  rest: 'hbase.rest.port',
  host: 'hbase.rest.host',
  thrift: 'hbase.regionserver.thrift.port',
  rpc: 'hbase.regionserver.port',
  master: 'hbase.master.port',
  zookeeper: 'hbase.zookeeper.property.clientPort',
  web: 'hbase.master.info.port',
  blockCache: 'hfile.block.cache.size',
  cellBytesMax: 'hbase.client.keyvalue.maxsize',
  responseBytesMax: 'hbase.server.scanner.max.result.size',
  scannerIdleMs: 'hbase.client.scanner.timeout.period',
  restScannerIdleMs: 'hbase.rest.scannercache.expire.time',
  connectionIdleMs: 'hbase.thrift.server.socket.read.timeout',
  authorization: 'hbase.security.authorization',
  superuser: 'hbase.superuser',
  visibilityLabels: 'hbase.coprocessor.region.classes',
}

/** True: the REST door refuses changes. */
export const REST_READ_ONLY = 'hbase.rest.readonly'

/** True: quotas can be set, and namespaces have the limits that their properties state. */
export const QUOTAS = 'hbase.quota.enabled'

/** The parent of the znodes: of the cluster where the store is one, else of the ZooKeeper door. */
export const ZNODE_PARENT = 'zookeeper.znode.parent'

/** In front of a cluster these keys are the ports and permissions of its servers, not of the doors. */
export const KEYS_OF_CLUSTER: ReadonlySet<string | undefined> = new Set([
  HBASE_KEYS['rpc'],
  HBASE_KEYS['master'],
  HBASE_KEYS['zookeeper'],
  HBASE_KEYS['web'],
  HBASE_KEYS['authorization'],
  HBASE_KEYS['superuser'],
  HBASE_KEYS['visibilityLabels'],
  ...LABEL_KEYS,
])

/** The keys of each kind of store, which `-D` may state. */
export const STORE_KEYS: Readonly<Record<'native' | 'memory' | 'hbase', readonly string[]>> = {
  native: NATIVE_KEYS,
  memory: [QUOTAS],
  hbase: CLUSTER_KEYS,
}

/** The keys that belong to Tidegate's options and doors, whatever the store is. */
export const OPTION_KEYS: readonly string[] = [
  ...Object.values(HBASE_KEYS),
  ...TIMELINE_KEYS,
  REST_READ_ONLY,
  ZNODE_PARENT,
  ...LABEL_KEYS,
  ...BROWSER_KEYS,
]
