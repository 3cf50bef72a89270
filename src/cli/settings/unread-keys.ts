/**
 * Stated settings that Tidegate does not read. A key of `-D` was meant for Tidegate: a warning names it, and the most similar key that Tidegate
 * reads. An hbase-site.xml was written for HBase's own servers: one line counts its other keys, and names those of security.
 */

import type { Logger } from 'pino'
import { isProxyUserKey } from './proxy-user-options.ts'
import type { ServeSettings } from './serve-options.ts'
import { OPTION_KEYS, STORE_KEYS } from './setting-keys.ts'

export interface UnreadKeys {
  /** Stated with `-D`. */
  readonly defined: readonly UnreadKey[]
  /** Stated in the file of `--config`. */
  readonly ofFile: readonly string[]
}

export interface UnreadKey {
  readonly key: string
  /** A key that Tidegate reads and that differs from `key` by little. */
  readonly similar: string | undefined
}

/** Keys by which an operator may expect logins, permissions or encryption. */
const SECURITY_KEY =
  /kerberos|keytab|principal|security|auth|ssl|tls|token|proxyuser|superuser|protection|encrypt|crypto|\bacl/i

type StoreKind = keyof typeof STORE_KEYS

/** A key that differs by more letters is no misspelling of another. */
const CHANGES_MAX = 3

export function unreadKeys(
  store: StoreKind,
  defined: readonly string[],
  ofFile: readonly string[],
): UnreadKeys {
  const known = new Set([...STORE_KEYS[store], ...OPTION_KEYS])
  const isUnread = (key: string): boolean => !known.has(key) && !isProxyUserKey(key)
  return {
    defined: defined.filter(isUnread).map((key) => ({ key, similar: similarKey(key, [...known]) })),
    ofFile: ofFile.filter(isUnread),
  }
}

const PAGES: Readonly<Record<StoreKind, string>> = {
  native: 'docs/tuning.md lists the settings of the embedded engine',
  memory: 'the memory store has but hbase.quota.enabled',
  hbase: 'docs/cluster.md lists the settings of a store on a cluster',
}

export function logUnread({ defined, ofFile }: UnreadKeys, store: StoreKind, logger: Logger): void {
  for (const { key, similar } of defined) {
    const remedy = similar === undefined ? '' : `; did you mean ${similar}?`
    logger.warn({ key }, `-D ${key} has no effect: Tidegate reads no such setting${remedy} (${PAGES[store]})`)
  }
  if (ofFile.length === 0) return
  const counted =
    ofFile.length === 1
      ? '1 setting of the config file has'
      : `${ofFile.length} settings of the config file have`
  const ofSecurity = ofFile.filter((key) => SECURITY_KEY.test(key))
  const named = ofSecurity.length === 0 ? '' : `; those of security: ${ofSecurity.join(', ')}`
  logger.info(
    { keys: ofFile.length },
    `${counted} no effect: Tidegate does not read them (${PAGES[store]}; --log-level debug names them all)${named}`,
  )
  logger.debug({ keys: ofFile }, 'the settings of the config file that have no effect')
}

/** Logs all stated settings that have no effect. */
export function logIdleSettings(
  settings: Pick<ServeSettings, 'store' | 'authorization' | 'unread'>,
  logger: Logger,
): void {
  logUnread(settings.unread, settings.store.kind, logger)
  logIdleLabels(settings, logger)
}

/** A cluster hides cells by its own controller: operators must not rely on the flag. */
function logIdleLabels(
  { store, authorization }: Pick<ServeSettings, 'store' | 'authorization'>,
  logger: Logger,
): void {
  if (store.kind !== 'hbase' || authorization?.labels === undefined) return
  logger.warn(
    '--visibility-labels has no effect in front of a cluster: its own VisibilityController decides, and without one every user sees every cell (docs/security.md)',
  )
}

/** The key that takes the fewest changes, or the one that `key` is the end of; undefined where all are others. */
function similarKey(key: string, known: readonly string[]): string | undefined {
  const whole = known.find((other) => other.endsWith(`.${key}`))
  const [nearest] = known
    .map((other) => ({ other, changes: changesBetween(key.toLowerCase(), other.toLowerCase()) }))
    .filter(({ changes }) => changes <= CHANGES_MAX)
    .toSorted((a, b) => a.changes - b.changes)
  return whole ?? nearest?.other
}

/** Letters to insert, remove or replace so that one text becomes the other: Levenshtein's distance. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
