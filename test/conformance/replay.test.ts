import { SCENARIOS } from '../../src/conformance/scenarios.ts'
import { describeReplay } from './replay/describe-replay.ts'

describeReplay('native', SCENARIOS)
