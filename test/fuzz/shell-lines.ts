/** Lines of `tidegate shell`: whatever is typed is a statement, or is refused in words. */

import { parseStatements } from '../../src/shell/ruby/parse-statements.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'

const SEEDS = [
  "get 't1', 'r1', {COLUMN => ['f:a', 'f:b'], TIMERANGE => [0, 5], FILTER => \"ValueFilter(=, 'binary:\\xff')\"}",
  "t = create('t', %w[f g], a: 1, :b => nil); t.put \"r\\u00e9\\n\", 'f:q', -1.5e3 # why\nt.scan",
]
const REFUSALS = new Set(['RubySyntaxError', 'RubyRefusal', 'UnfinishedInput'])

export const shellLines: FuzzTarget = {
  name: 'shell-lines',
  seeds: () => SEEDS.map((text) => Buffer.from(text)),
  run: (input) => parseStatements(input.toString()),
  // A statement of one sign is an object.
  kept: { base: 200_000, perByte: 250 },
  isRefusal: (error) => error instanceof Error && REFUSALS.has(error.name),
}
