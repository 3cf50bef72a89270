/** Every setting of `tidegate serve`, once: flags, variables, keys of hbase-site.xml and options of the library are made from it. */

import type { Limits } from '../../gateway/limits/limits.ts'
import { ARCHIVE_SETTINGS, type ArchiveValues } from './archive-options.ts'
import { AUTHORIZATION_SETTINGS, type AuthorizationValues } from './authorization-options.ts'
import { CLUSTER_USER_SETTINGS, type ClusterUserValues } from './cluster-user-options.ts'
import { DELEGATION_SETTINGS, type DelegationValues } from './delegation-options.ts'
import { DOOR_SETTINGS, type DoorValues } from './door-options.ts'
import { FOLLOW_SETTINGS, type FollowValues } from './follow-options.ts'
import { LOGIN_SETTINGS, type LoginValues } from './guard-options.ts'
import { KERBEROS_SETTINGS, type KerberosValues } from './kerberos-options.ts'
import { LIMIT_SETTINGS } from './limit-options.ts'
import { LOG_SETTINGS, type LogValues } from './log-options.ts'
import { REPLICATION_SETTINGS, type ReplicationValues } from './replication-options.ts'
import type { Setting, SettingKey, SettingsOf } from './setting.ts'
import { STORE_SETTINGS, type StoreValues } from './store-options.ts'
import { TEST_SETTINGS, type TestValues } from './test-options.ts'
import { TLS_SETTINGS, type TlsValues } from './tls-options.ts'

/** The value of each setting, by its name. */
export interface SettingValues
  extends StoreValues,
    ArchiveValues,
    ReplicationValues,
    FollowValues,
    ClusterUserValues,
    DoorValues,
    LogValues,
    TlsValues,
    LoginValues,
    KerberosValues,
    DelegationValues,
    AuthorizationValues,
    TestValues,
    Limits {}

export type SettingName = keyof SettingValues

/** The settings in the order of help. */
export const SETTINGS: SettingsOf<SettingValues> = {
  ...STORE_SETTINGS,
  ...ARCHIVE_SETTINGS,
  ...REPLICATION_SETTINGS,
  ...FOLLOW_SETTINGS,
  ...DOOR_SETTINGS,
  ...LOG_SETTINGS,
  ...TLS_SETTINGS,
  ...LOGIN_SETTINGS,
  ...KERBEROS_SETTINGS,
  ...DELEGATION_SETTINGS,
  ...AUTHORIZATION_SETTINGS,
  ...CLUSTER_USER_SETTINGS,
  ...TEST_SETTINGS,
  ...LIMIT_SETTINGS,
}

export const SETTING_NAMES: readonly SettingName[] = Object.keys(SETTINGS) as SettingName[]

export interface KeyedSetting {
  readonly name: SettingName
  readonly key: SettingKey<unknown>
  readonly setting: Setting<unknown>
}

/** The settings that a key of hbase-site.xml states, too. */
export const KEYED_SETTINGS: readonly KeyedSetting[] = SETTING_NAMES.flatMap((name) => {
  const setting: Setting<unknown> = SETTINGS[name]
  return setting.key === undefined ? [] : [{ name, key: setting.key, setting }]
})
