import { decodeScannerTextJson } from '../../src/wire/rest/scanner-spec.ts'
import { decodeTextRows } from '../../src/wire/rest/text-rows-decoder.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'
import { LIMITS } from './limits.ts'

const SEEDS = [
  '{"rows":[{"key":"r1","cells":[{"column":"f:a","timestamp":12,"value":"x"}]},{"key":"r2","cells":[]}]}',
  '{"key":"r\\\\x00","cells":[{"column":"f:\\\\xFF\\u00e9","int64":"-9223372036854775808"},{"timestamp":"1"}]}',
  '{"cells":[{"value":"\\ud83e\\udd86","column":"f:q"},{"int64":5,"value":"\\\\x00\\\\x00\\\\x00\\\\x00"}]}',
  '{"startRow":"a","endRow":"b","column":["f:a","f"],"batch":3,"startTime":0,"filter":"PageFilter(1)","caching":-1}',
]

export const restTextJson: FuzzTarget = {
  name: 'rest-text-json',
  seeds: () => SEEDS.map((text) => Buffer.from(text)),
  run: (input) =>
    tryEach(input, [(body) => decodeTextRows(body, LIMITS), (body) => decodeScannerTextJson(body, LIMITS)]),
}
