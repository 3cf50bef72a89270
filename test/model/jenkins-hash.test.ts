import { expect, test } from 'vitest'
import { jenkinsHash } from '../../src/model/jenkins-hash.ts'

// The names are hbase:meta's regions; HBase's logs have these hashes behind them.
test.each([
  ['hbase:meta,,1', 1588230740],
  ['hbase:meta,,1_0001', 534574363],
  ['', 559038737],
])('the hash of %j is %d', (text, hash) => {
  expect(jenkinsHash(Buffer.from(text))).toBe(hash)
})
