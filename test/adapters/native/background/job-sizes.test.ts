import { expect, it } from 'vitest'
import { isBesideSmall } from '../../../../adapters/native/background/job-sizes.ts'

it.each([
  ['compaction', 100, [['compaction', 100]], false],
  ['compaction', 100, [['compaction', 51]], false],
  ['compaction', 100, [['compaction', 50]], true],
  [
    'compaction',
    100,
    [
      ['compaction', 300],
      ['compaction', 10],
    ],
    true,
  ],
  ['compaction', 100, [['flush', 10]], false],
  ['flush', 100, [['compaction', 10]], false],
] as const)('a %s of %i bytes beside %j is beside a small one: %s', (kind, inputBytes, others, expected) => {
  const jobs = [{ kind, inputBytes }, ...others.map(([other, bytes]) => ({ kind: other, inputBytes: bytes }))]
  expect(
    isBesideSmall(
      jobs[0]!,
      jobs.map((job) => ({ job })),
    ),
  ).toBe(expected)
})
