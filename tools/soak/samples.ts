/** The samples that a soak takes from time to time, and whether its last part is as its second. */

import type { Findings } from '../chaos/findings.ts'

export interface Sample {
  /** Since the start. */
  readonly seconds: number
  readonly residentBytes: number
  /** Of the main thread's heap, and of memory outside of all heaps that it holds. */
  readonly heapBytes: number
  readonly externalBytes: number
  /** Of the files in the store's folder. */
  readonly diskBytes: number
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
/** Writers put new rows all the while; files that no read needs any more must go. */
const DISK_GROWTH_MAX = 2
const DISK_BYTES_MAX = 256 * 1024 * 1024

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
  for (const [name, figure] of [
    ['heap', 'heapBytes'],
    ['external memory', 'externalBytes'],
  ] as const) {
    const [was, is] = [middle(early, figure), middle(late, figure)]
    const allowed = was * (1 + GROWTH_PART_MAX) + GROWTH_BYTES_MAX
    findings.check(`${name} is flat`, is <= allowed, () => `${mebibytes(was)}, then ${mebibytes(is)}`)
  }
  const [small, large] = [middle(early, 'diskBytes'), middle(late, 'diskBytes')]
  const isSmall = large <= small * DISK_GROWTH_MAX + DISK_BYTES_MAX
  findings.check('the disk is bounded', isSmall, () => `${mebibytes(small)}, then ${mebibytes(large)}`)
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
  const { residentBytes, heapBytes, externalBytes, diskBytes, descriptors } = sample
  const { getsPerSecond, p50Ms, p99Ms, regions, storeFiles } = sample
  return (
    `${mebibytes(residentBytes)} resident, heap ${mebibytes(heapBytes)}, external ${mebibytes(externalBytes)}, ` +
    `${mebibytes(diskBytes)} on disk, ${descriptors} descriptors, ${Math.round(getsPerSecond)} gets/s, ` +
    `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${regions} regions, ${storeFiles} store files`
  )
}
