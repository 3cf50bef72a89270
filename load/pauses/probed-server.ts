/**
 * A server whose long turns are noted: `probed-server.js FILE MAIN ARGUMENTS...`. For each stretch of the main thread's event loop that takes
 * NOTED_MS of the processor or more, a line with its milliseconds is added to FILE.
 */

import { appendFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { threadClock } from '../../test/harness/longest-turn.ts'
import { NOTED_MS } from './noted-turns.ts'

/** A timer is due in each round of the loop that takes so long: rounds between two of them are short. */
const LOOK_MS = 2

const [node, , file, main, ...rest] = process.argv
process.argv = [node!, main!, ...rest]
const clock = threadClock()
let before = clock.ms()
setInterval(() => {
  const now = clock.ms()
  if (now - before >= NOTED_MS) appendFileSync(file!, `${(now - before).toFixed(1)}\n`)
  before = now
}, LOOK_MS).unref()
await import(pathToFileURL(main!).href)
