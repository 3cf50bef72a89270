/** Each part of the example of time as a dimension, on the memory store: what it claims of far-future cells is no matter of files. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { Report } from '../../examples/shared/report.ts'
import { PARTS, timeshift } from '../../examples/timeshift/timeshift.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'

let tidegate: Tidegate
beforeAll(async () => {
  tidegate = await startTidegate()
})
afterAll(() => tidegate.stop())

/** The memory store has no files: test/examples/document.test.ts runs this part on the engine. */
const names = Object.keys(PARTS).filter((name) => name !== 'file-skipping')

test.each(names)('%s is as the example says', async (name) => {
  const lines: string[] = []
  const report = new Report((line) => lines.push(line))
  const ports = { rest: 0, thrift: 0, rpc: 0, zookeeper: 0, web: 0, ...tidegate.ports }
  const server = { host: tidegate.host, ports, stop: () => Promise.resolve() }
  await timeshift(server, [name], true, report)
  expect(lines.filter((line) => line.includes('FAILED'))).toEqual([])
  expect(report.end()).toBe(0)
})
