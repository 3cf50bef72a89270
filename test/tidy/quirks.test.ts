/**
 * Oddities of HBase, and of Hadoop's timeline server, that Tidegate imitates. Each has a remark `QUIRK <case id>: what HBase does`, whose case was recorded from a
 * real one.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import { TIMELINE_CASES } from '../../conformance/src/timeline/timeline-suite.ts'

const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'adapters'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.includes('/gen/'))

const comments = sources.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      /^\s*(\/\/|\/?\*)|\s\/\/ /.test(line) ? [{ at: `${file}:${index + 1}`, line }] : [],
    ),
)

const ids = new Set([...SCENARIOS.flatMap(({ cases }) => cases), ...TIMELINE_CASES].map(({ id }) => id))

test('every remark on an oddity names a recorded case', () => {
  const tags = comments.flatMap(({ at, line }) => {
    const id = /\bQUIRK\b ?([\w-]*)/.exec(line)?.[1]
    return id === undefined ? [] : [{ at, id, isPlain: /QUIRK [\w-]+: /.test(line) }]
  })
  expect(tags.length).toBeGreaterThan(20)
  expect(tags.filter(({ id, isPlain }) => !ids.has(id) || !isPlain)).toEqual([])
})

test('every oddity has such a remark', () => {
  const unreported = comments.filter(
    ({ line }) => /\b([Aa]s )?[Ii]n HBase\b/.test(line) && !line.includes('QUIRK'),
  )
  expect(unreported).toEqual([])
})
