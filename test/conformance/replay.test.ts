import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import { describeReplay } from './replay/describe-replay.ts'

describeReplay('native', SCENARIOS)
