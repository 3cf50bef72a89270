import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'
import { verdictLine } from './client-results.ts'

const TOOLS = fileURLToPath(new URL('tools/', packageRoot()))

test('a verdict counts what has passed and what has failed', () => {
  expect(verdictLine({ passed: 3, failed: 1 })).toBe('3 passed, 1 failed\n')
})

test('each script that keeps what a client found prints a verdict, too', () => {
  const sources = readdirSync(TOOLS)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(`${TOOLS}${file}`, 'utf8')] as const)
  const keeping = sources.filter(([, source]) => source.includes('keepResult('))
  expect(keeping.length).toBeGreaterThan(5)
  const silent = keeping.filter(([, source]) => !/verdictLine\(|passed, \$\{[^}]+\} failed/.test(source))
  expect(silent.map(([file]) => file)).toEqual([])
})
