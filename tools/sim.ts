/**
 * `npm run sim -- --seconds N --seed S`: simulated lives of the native engine, one after the other, each with the next seed.
 * Ends with code 1 at the first failure, whose seed it prints. `--episodes N` ends after so many lives. A quarter of the seconds goes to a
 * sample of what `npm run explore` does.
 */

import { parseArgs } from 'node:util'
import { counted } from '../src/model/counted.ts'
import { exploreSample } from '../test/harness/explorer/explore.ts'
import { simulateEpisode } from '../test/harness/simulation/simulate.ts'
import { wholeNumber } from './whole-number.ts'

const TELL_EVERY_MS = 10_000

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, episodes: { type: 'string' } },
})
const firstSeed = wholeNumber('seed', values.seed) ?? Math.floor(Math.random() * 0x1_0000_0000)
const episodesMax = wholeNumber('episodes', values.episodes) ?? Number.POSITIVE_INFINITY
const seconds =
  wholeNumber('seconds', values.seconds) ?? (Number.isFinite(episodesMax) ? Number.POSITIVE_INFINITY : 60)

process.stdout.write(`simulation from seed ${firstSeed}\n`)
const begin = Date.now()
let reportedAt = begin
let steps = 0
let episodes = 0
const sums = (): string => `${counted(episodes, 'life', 'lives')}, ${counted(steps, 'step')}`
try {
  if (Number.isFinite(seconds)) await sample(seconds * 250)
  while (episodes < episodesMax && Date.now() - begin < seconds * 1000) {
    steps += await simulateEpisode((firstSeed + episodes) % 0x1_0000_0000)
    episodes++
    if (Date.now() - reportedAt < TELL_EVERY_MS) continue
    reportedAt = Date.now()
    process.stdout.write(`${sums()}\n`)
  }
  process.stdout.write(`simulation passed: ${sums()}\n`)
} catch (error) {
  process.stdout.write(`simulation failed after ${sums()}: ${String(error)}\n`)
  process.exitCode = 1
}

async function sample(ms: number): Promise<void> {
  const { states, findings } = await exploreSample(firstSeed, ms)
  if (findings.length > 0) throw new Error(`the explorer found ${findings[0]}\n  again: npm run explore`)
  process.stdout.write(`explored ${counted(states, 'state')}\n`)
}
