/** The processor time that this process may use, where the quota of a container is less than the machine has. */

import { availableParallelism } from 'node:os'
import { posix } from 'node:path'
import { type ControlGroup, controlGroups, type ReadText, readText } from './control-groups.ts'

/** The cores that the process may keep busy: a fraction where a quota is one. */
export function usableCores(cores: number = availableParallelism(), read: ReadText = readText): number {
  const quotas = controlGroups('cpu', read).flatMap((group) => quotaOf(group, read) ?? [])
  return Math.min(cores, ...quotas)
}

/** In cores; undefined where the group has none. */
function quotaOf({ version, folder }: ControlGroup, read: ReadText): number | undefined {
  const text = (name: string): string => read(posix.join(folder, name))?.trim() ?? ''
  const [quota = '', period = ''] =
    version === 2 ? text('cpu.max').split(' ') : [text('cpu.cfs_quota_us'), text('cpu.cfs_period_us')]
  // "max" in version 2 and -1 in version 1 are no quota.
  const isQuota = /^\d+$/.test(quota) && /^[1-9]\d*$/.test(period)
  return isQuota ? Number(quota) / Number(period) : undefined
}
