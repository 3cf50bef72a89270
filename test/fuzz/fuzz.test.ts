/** That `npm run fuzz` finds bugs, planted ones, and that its targets still read what their seeds are. */

import { expect, test } from 'vitest'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { hunt } from '../harness/fuzz/hunt.ts'
import { isAccepted } from '../harness/fuzz/judge.ts'
import { inputOf } from '../harness/fuzz/mutate.ts'
import { DOORS, TARGETS } from './targets.ts'

const INPUTS_FOR_A_BUG = 3000
const HANG_MS = 2000
const SEEDS_TRIED = 40

const PLANTED = [
  ['canary-throws', /RangeError/],
  ['canary-hoards', /keeps \d+ bytes of memory/],
  ['canary-keeps', /keeps \d+ bytes of memory/],
  ['canary-hangs', /takes more than 2000 ms/],
  ['canary-crawls', /works for \d+ ms|takes more than/],
  ['canary-blocks', /keeps the event loop for \d+ ms|takes more than/],
  ['canary-dies', /ends the process: SIGABRT/],
] as const

test.each(PLANTED)('%s is found, and again from its seed', { timeout: 60_000 }, async (name, broken) => {
  const options = { inputs: INPUTS_FOR_A_BUG, seconds: 50, findsMax: 1, hangMs: HANG_MS }
  const { finds } = await hunt(name, { ...options, firstSeed: 1 })
  expect(finds[0]?.broken).toMatch(broken)
  const again = await hunt(name, { ...options, firstSeed: finds[0]!.seed, inputs: 1 })
  expect(again.finds[0]?.broken).toMatch(broken)
})

test('an input follows from its seed', () => {
  const examples = [Buffer.from('{"Row":[{"key":"cjE="}]}'), Buffer.from('[1,2,3]')]
  const inputs = Array.from({ length: 500 }, (_, seed) => inputOf(seed, examples).toString('latin1'))
  expect(inputs).toEqual(inputs.map((_, seed) => inputOf(seed, examples).toString('latin1')))
  expect(new Set(inputs).size).toBeGreaterThan(400)
})

async function acceptedPart(target: FuzzTarget): Promise<number> {
  const seeds = target.seeds()
  const tried = seeds.filter((_, i) => i % Math.ceil(seeds.length / SEEDS_TRIED) === 0)
  let accepted = 0
  for (const seed of tried) if (await isAccepted(target, seed)) accepted++
  return accepted / tried.length
}

test.each(
  TARGETS.filter((target) => !DOORS.includes(target)).map((target) => [target.name, target] as const),
)('%s reads its seeds', async (_, target) => {
  expect(await acceptedPart(target)).toBeGreaterThan(0.3)
})
