/**
 * A server whose long turns are noted: `probed-server.js FILE MAIN ARGUMENTS...`. For each stretch of the main thread's event loop that takes
 * NOTED_MS of the processor or more, a line is added to FILE: its milliseconds, and those of them that collections of garbage have taken.
 */

import { appendFileSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { threadClock } from '../../test/harness/longest-turn.ts'
import { NOTED_MS } from './noted-turns.ts'

/** A timer is due in each round of the loop that takes so long: rounds between two of them are short. */
const LOOK_MS = 2
/** Node reports a collection in a later turn. */
const REPORTED_MS = 20

interface Stretch {
  readonly ms: number
  readonly from: number
  readonly to: number
}

interface Collection {
  readonly from: number
  readonly to: number
}

const [node, , file, main, ...rest] = process.argv
process.argv = [node!, main!, ...rest]
const clock = threadClock()
let collections: Collection[] = []
let stretches: Stretch[] = []
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    collections.push({ from: startTime, to: startTime + duration })
}).observe({ entryTypes: ['gc'] })

function collectedIn({ ms, from, to }: Stretch): number {
  const within = collections.map((each) => Math.max(0, Math.min(to, each.to) - Math.max(from, each.from)))
  const collectedMs = within.reduce((sum, each) => sum + each, 0)
  // A collection is measured by the clock: the thread has had the processor for a part of that time.
  return (collectedMs * Math.min(ms, to - from)) / (to - from)
}

let before = clock.ms()
let lookedAt = performance.now()
setInterval(() => {
  const now = clock.ms()
  const at = performance.now()
  if (now - before >= NOTED_MS) stretches.push({ ms: now - before, from: lookedAt, to: at })
  const reported = stretches.filter(({ to }) => at - to >= REPORTED_MS)
  if (reported.length > 0) {
    const lines = reported.map((each) => `${each.ms.toFixed(1)} ${collectedIn(each).toFixed(1)}\n`)
    appendFileSync(file!, lines.join(''))
    stretches = stretches.filter((each) => !reported.includes(each))
  }
  if (stretches.length === 0) collections = collections.filter(({ to }) => at - to < 10 * REPORTED_MS)
  before = now
  lookedAt = at
}, LOOK_MS).unref()
await import(pathToFileURL(main!).href)
