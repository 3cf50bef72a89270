/** HBase's delegation tokens: the folder of their keys, and times. They need logins by Kerberos at native RPC. */

import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { DelegationSettings } from '../../gateway/identity/delegation/signed-tokens.ts'
import { parseDurationMs } from '../flags/duration.ts'
import { parsePath } from '../flags/paths.ts'
import type { AccessSettings } from './guard-options.ts'
import type { SettingsOf } from './setting.ts'
import type { StoreSpec, StoreValues } from './store-options.ts'

export interface DelegationValues {
  /** The folder of the keys; undefined: that of a native store. */
  readonly delegationKeys: string | undefined
  /** Milliseconds for which a key signs new tokens. */
  readonly delegationKeyInterval: number
  /** Milliseconds for which a token counts. */
  readonly delegationTokenLifetime: number
}

/** PERSISTED: the folder of the keys in that of a native store. */
const FOLDER_OF_STORE = 'delegation-keys'
const DAY_MS = 86_400_000
/** Shorter times would make a key for each token, and tokens that end before their job begins. */
const MS_MIN = 1000
const MS_MAX = 3650 * DAY_MS

export const DELEGATION_SETTINGS: SettingsOf<DelegationValues> = {
  delegationKeys: {
    group: 'Logins',
    takes: '<folder>',
    about:
      "keys of HBase's delegation tokens, which clients with Kerberos get for their jobs; a native store has a folder of its own for them",
    parse: parsePath,
    fallback: undefined,
    fallbackText: 'delegation-keys in the folder of a native store',
  },
  delegationKeyInterval: {
    group: 'Logins',
    takes: '<duration>',
    about: 'how long such a key signs new tokens: milliseconds, or 12h, 1d',
    parse: parseMs,
    fallback: DAY_MS,
    fallbackText: '1d',
    key: { name: 'hbase.auth.key.update.interval' },
  },
  delegationTokenLifetime: {
    group: 'Logins',
    takes: '<duration>',
    about: 'how long such a token counts: milliseconds, or 12h, 7d',
    parse: parseMs,
    fallback: 7 * DAY_MS,
    fallbackText: '7d',
    key: { name: 'hbase.auth.token.max.lifetime' },
  },
}

function parseMs(text: string): number {
  const ms = parseDurationMs(text)
  if (ms >= MS_MIN && ms <= MS_MAX) return ms
  throw new InvalidArgumentError('It must be from 1s to 3650d, and a number alone is milliseconds.')
}

/** The settings with those of delegation tokens. Without a folder for a store that has none of its own there are no such tokens. */
export function withDelegation<Access extends Pick<AccessSettings, 'guard'>>(
  access: Access,
  values: DelegationValues & Pick<StoreValues, 'store'>,
): Access {
  const { guard } = access
  return guard === undefined
    ? access
    : { ...access, guard: { ...guard, delegation: settingsOf(values, values.store) } }
}

function settingsOf(
  { delegationKeys, delegationKeyInterval: keyMs, delegationTokenLifetime: tokenMs }: DelegationValues,
  store: StoreSpec,
): DelegationSettings | undefined {
  const ofStore = store.kind === 'native' ? join(store.directory, FOLDER_OF_STORE) : undefined
  const folder = delegationKeys ?? ofStore
  return folder === undefined ? undefined : { folder, keyMs, tokenMs }
}
