/** The command of the examples: servers, tables that are in the way, and the count of its checks. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runExample } from '../../examples/run-example.ts'
import { Report } from '../../examples/shared/report.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'

let server: Tidegate
beforeAll(async () => {
  server = await startTidegate()
})
afterAll(() => server.stop())

async function run(...args: readonly string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const code = await runExample(args, (line) => lines.push(line))
  return { code, lines }
}

describe('an example', () => {
  test('runs on a server that is there, and replaces its tables only if it is told to', async () => {
    const ports = ['--rest', String(server.ports.rest), '--thrift', String(server.ports.thrift)]
    const args = ['advertising', 'parent-mapping', '--ads', '200', '--host', server.host, ...ports]
    expect((await run(...args)).code).toBe(0)
    expect(await run(...args)).toEqual({
      code: 1,
      lines: [
        '',
        '== load: 200 ads and what belongs to them',
        'error: the table cow_prod:PROD_COW_ADVERTISER is there already: --replace drops it',
      ],
    })
    const again = await run(...args, '--replace', '--regions', '7')
    expect(again.lines).toContain('   ok     REST tells as many regions')
    expect(again.code).toBe(0)
  })

  test.each([
    ['of a name that is none', 'nothing'],
    ['of a part that is none', 'advertising', 'nothing'],
    ['of a number that is none', 'advertising', '--ads', '-1'],
    ['of more regions than rows', 'advertising', '--ads', '200', '--regions', '201'],
  ])('%s is refused', async (_, ...args) => {
    expect((await run(...args)).code).toBe(1)
  })
})

function reported(work: (report: Report) => void): { code: number; lines: string[] } {
  const lines: string[] = []
  const report = new Report((line) => lines.push(line))
  work(report)
  return { code: report.end(), lines }
}

describe('the report', () => {
  test('fails where a check does, and says what it found', () => {
    const { code, lines } = reported((report) => {
      report.check('one', [1], [1])
      report.check('two', [1], [2])
    })
    expect(lines).toEqual([
      '   ok     one',
      '   FAILED two',
      '          found [1], expected [2]',
      '',
      '1 passed, 1 failed',
    ])
    expect(code).toBe(1)
  })

  test('fails where nothing was checked', () => {
    expect(reported(() => undefined).code).toBe(1)
  })
})
