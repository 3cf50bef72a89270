/**
 * The process that works through a target's inputs: `child.js TARGET SEED INPUTS SECONDS FILE`. It writes the seed of
 * each input to FILE before the input runs, so that its parent knows which one has killed it, and sends what it finds.
 */

import { openSync, writeSync } from 'node:fs'
import type { FuzzMessage } from '../harness/fuzz/fuzz-message.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { brokenPromise, settle } from '../harness/fuzz/judge.ts'
import { inputOf } from '../harness/fuzz/mutate.ts'
import { CANARIES } from './canaries.ts'

const SEED_BYTES = 8

async function work(name: string, firstSeed: number, inputsMax: number, secondsMax: number): Promise<void> {
  const target = await load(name)
  const examples = target.seeds()
  const progress = openSync(process.argv[6]!, 'w')
  const present = Buffer.alloc(SEED_BYTES)
  let inputs = 0
  await target.start?.()
  await settle()
  const end = performance.now() + secondsMax * 1000
  while (inputs < inputsMax && performance.now() < end) {
    const seed = firstSeed + inputs++
    const input = inputOf(seed, examples)
    present.writeDoubleBE(seed)
    writeSync(progress, present, 0, SEED_BYTES, 0)
    const broken = await brokenPromise(target, target.seal === undefined ? input : target.seal(input))
    if (broken !== undefined) await send({ kind: 'find', seed, broken })
  }
  await target
    .stop?.()
    .catch((error: unknown) => send({ kind: 'find', seed: firstSeed, broken: String(error) }))
  await send({ kind: 'end', inputs })
}

/** The recorded requests that many targets begin with are slow to load, so only those targets load them. */
async function load(name: string): Promise<FuzzTarget> {
  const canary = CANARIES.find((each) => each.name === name)
  if (canary !== undefined) return canary
  const { MADE_TARGETS } = await import('./made-targets.ts')
  const made = MADE_TARGETS.find((each) => each.name === name)
  return made ?? (await import('./targets.ts')).targetNamed(name)
}

function send(message: FuzzMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!(message, (error: Error | null) => (error === null ? resolve() : reject(error)))
  })
}

const [, , name, seed, inputs, seconds] = process.argv
await work(name!, Number(seed), Number(inputs), Number(seconds))
process.disconnect()
