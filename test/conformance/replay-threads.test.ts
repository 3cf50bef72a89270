import { describe } from 'vitest'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import { MOVES_CONNECTIONS } from '../harness/newest-node.ts'
import { describeReplay } from './replay/describe-replay.ts'

/**
 * Every fourth scenario of the recordings of every door, asked of threads: all of them take minutes, and `npm run conformance` asks them of any server.
 * TIDEGATE_REPLAY=all asks all.
 */
const PART = process.env['TIDEGATE_REPLAY'] === 'all' ? 1 : 4
const scenarios = SCENARIOS.filter((_, index) => index % PART === 0)

describe.skipIf(!MOVES_CONNECTIONS || process.platform !== 'linux')('threads', () => {
  describeReplay('native', scenarios, 3)
})
