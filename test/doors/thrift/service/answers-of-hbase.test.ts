/** The calls of the live comparison, with what a real HBase 2.6.1 answered to them. */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answersTo, compareAnswers } from '../../../conformance/live/thrift.compare.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

let server: ThriftServer
beforeAll(async () => {
  server = await startThriftServer()
})
afterAll(() => server.close())

test.each(['thrift1', 'thrift2'] as const)('%s answers as HBase does', async (suite) => {
  const file = new URL(`../../../conformance/live/${suite}-answers.json`, import.meta.url)
  const { answers } = JSON.parse(readFileSync(file, 'utf8')) as { answers: string[] }
  const own = await answersTo(suite, { host: '127.0.0.1', port: server.port }, true)
  expect(answers).toHaveLength(own.length)
  const { passed, failures } = compareAnswers(suite, answers, own)
  expect(failures).toEqual([])
  expect(passed).toBe(own.length)
})
