import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import { describeReplay } from './replay/describe-replay.ts'

/** About what the doors read: any store does. `npm run compare` asks all cases of both. */
const OF_DOORS = /^rest-(?:url|body|accept|content|http|bytes)|-arguments$|^filter-json$/

describeReplay(
  'memory',
  SCENARIOS.filter(({ name }) => !OF_DOORS.test(name)),
)
