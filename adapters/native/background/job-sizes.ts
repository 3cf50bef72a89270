import type { FileJob } from './file-job.ts'

type SizedJob = Pick<FileJob, 'kind' | 'inputBytes'>

/** A compaction is large beside another one of one part in so many of its bytes, or less. */
const LARGE_TIMES = 2

/** Whether the job is a compaction, and a much smaller one is under way. */
export function isBesideSmall(
  { kind, inputBytes }: SizedJob,
  running: Iterable<{ readonly job: SizedJob }>,
): boolean {
  if (kind !== 'compaction') return false
  for (const { job } of running)
    if (job.kind === 'compaction' && job.inputBytes * LARGE_TIMES <= inputBytes) return true
  return false
}
