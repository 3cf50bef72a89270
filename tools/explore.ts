/**
 * `npm run explore`: the embedded engine on a disk that the explorer owns, stopped at every change of it and inside every write, by a kill and
 * by power losses, and again within the start that follows; then with a fault at every change. `--every N` takes one of N states,
 * `--losses N` power losses of each, `--nested N` one of N changes of each start, `--seconds N` ends it early, `--seed S` draws others.
 * Ends with code 1 if anything is found.
 */

import { parseArgs } from 'node:util'
import { counted } from '../src/model/counted.ts'
import { explore } from '../test/harness/explorer/explore.ts'
import { wholeNumber } from './whole-number.ts'

const { values } = parseArgs({
  options: {
    every: { type: 'string' },
    losses: { type: 'string' },
    nested: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
  },
})
const end = performance.now() + (wholeNumber('seconds', values.seconds) ?? Number.POSITIVE_INFINITY) * 1000
const { states, findings } = await explore({
  seed: wholeNumber('seed', values.seed) ?? 1,
  every: wholeNumber('every', values.every) ?? 1,
  losses: wholeNumber('losses', values.losses) ?? 4,
  nestedEvery: wholeNumber('nested', values.nested) ?? 10,
  goesOn: () => performance.now() < end,
  onHistory: (name, kind, explored) => {
    process.stdout.write(`${name}, ${kind}: ${counted(explored.states, 'state')}\n`)
    for (const finding of explored.findings) process.stdout.write(`FOUND ${finding}\n`)
  },
})
process.stdout.write(`explored ${counted(states, 'state')}: ${counted(findings.length, 'finding')}\n`)
if (findings.length > 0) process.exitCode = 1
