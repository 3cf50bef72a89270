/**
 * `npm run fuzz -- --seconds N --target T --seed S`: damaged input for every decoder and door, or for one of them, N seconds
 * in all. Prints each find with the command that repeats it, and ends with code 1 if there was one. `--inputs N` ends each
 * target after so many inputs.
 */

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { TARGETS, targetNamed } from '../test/fuzz/targets.ts'
import { type Find, hunt } from '../test/harness/fuzz/hunt.ts'
import { inputOf } from '../test/harness/fuzz/mutate.ts'

const USUAL_SECONDS = 60
/** Each target gets as much, even where the processes are slow to start. */
const SHARE_SECONDS_MIN = 1
const SHOWN_BYTES_MAX = 200
/** Finds of one target: later ones mostly repeat the first. */
const FINDS_MAX = 5

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    target: { type: 'string' },
    seed: { type: 'string' },
    inputs: { type: 'string' },
  },
})
const firstSeed = numberOf('seed', values.seed) ?? Math.floor(Math.random() * 0x1_0000_0000)
const inputs = numberOf('inputs', values.inputs) ?? Number.MAX_SAFE_INTEGER
const seconds = numberOf('seconds', values.seconds) ?? USUAL_SECONDS
const targets = values.target === undefined ? TARGETS : [targetNamed(values.target)]

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new Error(`--${name} ${text}: it must be a whole number`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function printFind({ target, seed, broken }: Find): void {
  const subject = targetNamed(target)
  const mutated = inputOf(seed, subject.seeds())
  const input = subject.seal === undefined ? mutated : subject.seal(mutated)
  print(`${target} ${broken}`)
  print(`  again: npm run fuzz -- --target ${target} --seed ${seed} --inputs 1`)
  if (input.length <= SHOWN_BYTES_MAX) print(`  input: ${input.toString('hex')}`)
  else {
    const file = join(mkdtempSync(join(tmpdir(), 'tidegate-fuzz-')), `${target}-${seed}`)
    writeFileSync(file, input)
    print(`  input: ${input.length} bytes, in ${file}`)
  }
}

print(`fuzzing from seed ${firstSeed}`)
let finds = 0
const begin = performance.now()
for (const [i, { name }] of targets.entries()) {
  const left = seconds - (performance.now() - begin) / 1000
  const share = Math.max(left / (targets.length - i), SHARE_SECONDS_MIN)
  const options = { firstSeed, inputs, seconds: share, findsMax: FINDS_MAX }
  const hunted = await hunt(name, options)
  print(`${name}: ${hunted.inputs} inputs, ${hunted.finds.length} finds`)
  for (const find of hunted.finds) printFind(find)
  finds += hunted.finds.length
}
print(finds === 0 ? 'fuzzing found nothing' : `fuzzing found ${finds}`)
if (finds > 0) process.exitCode = 1
