/** Limits of requests as `set_quota` states them: `10req/sec`, `5M/min`, `3cu/day`. */

import type { QuotaScope, QuotaTimeUnit, ThrottleChange, ThrottleType } from '../../model/quota.ts'
import { refuse } from '../output/shell-error.ts'
import { type RubyHash, stringName, textOf } from '../ruby/values.ts'

const UNITS: Readonly<Record<string, QuotaTimeUnit>> = {
  sec: 'SECONDS',
  min: 'MINUTES',
  hour: 'HOURS',
  day: 'DAYS',
}

const KINDS = ['REQUEST', 'WRITE', 'READ']

/** The throttle that the options state. Removes LIMIT, THROTTLE_TYPE and SCOPE from them. */
export function throttleOf(options: RubyHash): ThrottleChange {
  const limit = options.take('LIMIT')
  const kind = stringName(options.take('THROTTLE_TYPE'))
  const scope = scopeOf(stringName(options.take('SCOPE')))
  if (limit === undefined) refuse('Invalid throttle limit syntax')
  if (textOf(limit) === 'NONE') return { type: kind as ThrottleType | undefined, limit: undefined }
  const match = /^(\d+)(req|cu|[bkmgtp])\/(sec|min|hour|day)$/.exec(textOf(limit).toLowerCase())
  if (match === null) refuse('Invalid throttle limit syntax')
  const [, digits, unit, per] = match
  const of = kind ?? 'REQUEST'
  if (!KINDS.includes(of)) refuse(`No enum constant org.apache.hadoop.hbase.quotas.ThrottleType.${of}`)
  const suffix = unit === 'req' ? 'NUMBER' : unit === 'cu' ? 'CAPACITY_UNIT' : 'SIZE'
  const softLimit = BigInt(digits!) << BigInt(10 * Math.max(0, 'bkmgtp'.indexOf(unit!)))
  if (softLimit <= 0n) refuse('Invalid throttle limit, must be greater than 0')
  return {
    type: `${of}_${suffix}` as ThrottleType,
    limit: { timeUnit: UNITS[per!]!, softLimit, share: undefined, scope },
  }
}

function scopeOf(stated = 'MACHINE'): QuotaScope {
  const scope = stated.toUpperCase()
  if (scope === 'CLUSTER' || scope === 'MACHINE') return scope
  refuse('Invalid throttle scope, must be either CLUSTER or MACHINE')
}
