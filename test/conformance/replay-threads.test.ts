import { describe } from 'vitest'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import { MOVES_CONNECTIONS } from '../harness/newest-node.ts'
import { describeReplay } from './replay/describe-replay.ts'

/** The recordings of every door, asked of threads. */
describe.skipIf(!MOVES_CONNECTIONS || process.platform !== 'linux')('threads', () => {
  describeReplay('native', SCENARIOS, 3)
})
