/** The settings of the timeline door, with YARN's keys and defaults. */

import type { TimelineTokenSettings } from '../delegation/timeline-tokens.ts'
import type { AclSettings } from '../domains/acls.ts'
import { ROLLING_PERIODS, type RollingPeriod } from '../tables/periods.ts'

export interface TimelineSettings {
  readonly period: RollingPeriod
  /** The time to live of data; undefined: it never expires. */
  readonly ttlMs: number | undefined
  readonly sweepMs: number
  /** The number of start times that are deleted at a time. */
  readonly deleteBatch: number
  readonly acls: AclSettings
  readonly tokens: TimelineTokenSettings
}

const PREFIX = 'yarn.timeline-service'

const KEYS = {
  period: `${PREFIX}.rolling-period`,
  ttlEnable: `${PREFIX}.ttl-enable`,
  ttlMs: `${PREFIX}.ttl-ms`,
  sweepMs: `${PREFIX}.leveldb-timeline-store.ttl-interval-ms`,
  deleteBatch: `${PREFIX}.leveldb-timeline-store.write-batch-size`,
  aclEnable: 'yarn.acl.enable',
  admins: 'yarn.admin.acl',
  keyMs: `${PREFIX}.delegation.key.update-interval`,
  lifeMs: `${PREFIX}.delegation.token.max-lifetime`,
  renewMs: `${PREFIX}.delegation.token.renew-interval`,
} as const

export const TIMELINE_KEYS: readonly string[] = Object.values(KEYS)

/** The error for an invalid value. */
export class TimelineSettingError extends Error {
  readonly key: string

  constructor(key: string, text: string, must: string) {
    super(`${key} = "${text}" is invalid. It must be ${must}.`)
    this.key = key
  }
}

/** Throws TimelineSettingError. */
export function readTimelineSettings(properties: ReadonlyMap<string, string>): TimelineSettings {
  const flag = (key: string, byDefault: boolean): boolean => {
    const text = (properties.get(key) ?? String(byDefault)).trim().toLowerCase()
    if (text !== 'true' && text !== 'false') throw new TimelineSettingError(key, text, 'true or false')
    return text === 'true'
  }
  const positive = (key: string, byDefault: number): number => {
    const text = (properties.get(key) ?? String(byDefault)).trim()
    const value = /^\d{1,15}$/.test(text) ? Number(text) : 0
    if (value <= 0) throw new TimelineSettingError(key, text, 'a whole number greater than zero')
    return value
  }
  const periodText = (properties.get(KEYS.period) ?? 'HOURLY').trim()
  const period = ROLLING_PERIODS.find((known) => known === periodText.toUpperCase())
  if (period === undefined)
    throw new TimelineSettingError(KEYS.period, periodText, `one of ${ROLLING_PERIODS.join(', ')}`)
  const ttlMs = positive(KEYS.ttlMs, 604_800_000)
  return {
    period,
    ttlMs: flag(KEYS.ttlEnable, true) ? ttlMs : undefined,
    sweepMs: positive(KEYS.sweepMs, 300_000),
    deleteBatch: positive(KEYS.deleteBatch, 10_000),
    tokens: {
      keyMs: positive(KEYS.keyMs, 86_400_000),
      lifeMs: positive(KEYS.lifeMs, 604_800_000),
      renewMs: positive(KEYS.renewMs, 86_400_000),
    },
    acls: { enabled: flag(KEYS.aclEnable, false), admins: properties.get(KEYS.admins) ?? '*' },
  }
}
