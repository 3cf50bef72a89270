/** The samples that a soak takes from time to time, and whether its last part is as its second. */

import type { Findings } from '../chaos/findings.ts'

export interface Sample {
  /** Since the start. */
  readonly seconds: number
  readonly residentBytes: number
  readonly descriptors: number
  readonly getsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly regions: number
  readonly storeFiles: number
}

/** The first part warms up: caches fill, regions split, code is compiled. */
const PARTS = 4
const GROWTH_BYTES_MAX = 64 * 1024 * 1024
const GROWTH_PART_MAX = 0.15
/** Another minute's other work on the machine may double a p99; a trend goes on. */
const SLOWER_MAX = 2
const DESCRIPTORS_GROWTH_MAX = 200

export function judge(samples: readonly Sample[], findings: Findings): void {
  const size = Math.floor(samples.length / PARTS)
  const early = samples.slice(size, 2 * size)
  const late = samples.slice(-size)
  if (size === 0) {
    findings.fail('the soak is long enough', `${samples.length} samples`)
    return
  }
  const [was, is] = [middle(early, 'residentBytes'), middle(late, 'residentBytes')]
  const allowed = was * (1 + GROWTH_PART_MAX) + GROWTH_BYTES_MAX
  findings.check('memory is flat', is <= allowed, () => `${mebibytes(was)}, then ${mebibytes(is)}`)
  const [quick, slow] = [middle(early, 'p99Ms'), middle(late, 'p99Ms')]
  findings.check('p99 has no trend', slow <= quick * SLOWER_MAX, () => `${quick} ms, then ${slow} ms`)
  const [few, many] = [middle(early, 'descriptors'), middle(late, 'descriptors')]
  const isBounded = Number.isNaN(many) || many <= few + DESCRIPTORS_GROWTH_MAX
  findings.check('descriptors are bounded', isBounded, () => `${few}, then ${many}`)
}

function middle(samples: readonly Sample[], figure: keyof Sample): number {
  return samples.map((sample) => sample[figure]).sort((a, b) => a - b)[samples.length >> 1]!
}

export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1048576)} MiB`
}

export function lineOf(sample: Sample): string {
  const { residentBytes, descriptors, getsPerSecond, p50Ms, p99Ms, regions, storeFiles } = sample
  return (
    `${mebibytes(residentBytes)} resident, ${descriptors} descriptors, ${Math.round(getsPerSecond)} gets/s, p50 ${p50Ms.toFixed(2)} ms, ` +
    `p99 ${p99Ms.toFixed(2)} ms, ${regions} regions, ${storeFiles} store files`
  )
}
