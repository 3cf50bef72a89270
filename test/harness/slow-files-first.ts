import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** How the names of slow test files begin, the slowest first. */
const SLOW: readonly string[] = [
  'test/conformance/replay',
  'test/process/kill-9',
  'test/store/differential',
  'test/process/',
  'test/docs/tools',
  'test/store/',
]

function rankOf({ moduleId }: TestSpecification): number {
  const rank = SLOW.findIndex((start) => moduleId.includes(`/${start}`))
  return rank < 0 ? SLOW.length : rank
}

/**
 * Begins with the files that take long, so that no worker is left alone with one of them at the end. Vitest by itself
 * knows how long files take only where it has run before.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => rankOf(a) - rankOf(b))
  }
}
